package lcm

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/internal/sorting"
)

// Summary is a row of summaries.
type Summary struct {
	ID               string
	Conversation     int64
	Kind             string // "leaf" or "condensed".
	Depth            int64
	Content          string
	Bytes            int64 // The length of the whole content.
	Tokens           int64
	EarliestAt       data.Time
	LatestAt         data.Time
	Descendants      int64 // How many summaries lie below.
	DescendantTokens int64 // Their tokens. From 0.3.0.
	SourceTokens     int64 // The tokens of all messages below. From 0.3.0.
	CreatedAt        data.Time
	FileIDs          string // A JSON array of large files' ids, unless it is damaged.
	Model            string // From 0.5.0.
}

// Condensed reports whether the summary was made of other summaries.
func (s Summary) Condensed() bool { return s.Kind == KindCondensed }

// The kinds of summary.
const (
	KindLeaf      = "leaf"
	KindCondensed = "condensed"
)

// Summaries returns the summaries of a conversation by depth and age, each with the
// first clipBytes bytes of its text.
func Summaries(ctx context.Context, db *data.DB, conv int64, clipBytes int) ([]Summary, error) {
	out, err := summaries(ctx, db, data.RowQuery{Where: "s.conversation_id = ?", Args: []any{conv}, Order: "s.depth, s.created_at, s.summary_id"}, clipBytes)
	if len(db.IncompleteTables()) > 0 { // Rows that were read one by one come in the order of an index.
		sorting.Stable(out, func(a, b *Summary) int {
			return cmp.Or(cmp.Compare(a.Depth, b.Depth), strings.Compare(a.CreatedAt.Raw, b.CreatedAt.Raw), strings.Compare(a.ID, b.ID))
		})
	}
	return out, err
}

// SummariesByPrefix returns the summaries of the file whose ids begin with prefix, in the
// order of their ids, at most limit of them, without texts.
func SummariesByPrefix(ctx context.Context, db data.Querier, prefix string, limit int) ([]Summary, error) {
	q := data.RowQuery{
		Where: "s.summary_id >= ? AND s.summary_id < ?", Args: []any{prefix, prefix + "\U0010ffff"},
		Order: "s.summary_id", Limit: limit,
	}
	return summaries(ctx, db, q, 1)
}

// SummariesOf returns the summaries with these ids that are there, with the start of each text.
func SummariesOf(ctx context.Context, db data.Querier, ids []string, clipBytes int) (out []Summary, err error) {
	for chunk := range slices.Chunk(ids, data.MaxArgs) {
		args := make([]any, len(chunk))
		for i, id := range chunk {
			args[i] = id
		}
		found, err := summaries(ctx, db, data.RowQuery{Where: "s.summary_id IN (" + data.Marks(len(args)) + ")", Args: args}, clipBytes)
		if err != nil {
			return out, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// SummariesContaining returns the summaries of a conversation whose text contains
// one of the strings or whose model is one of models, with whole texts.
func SummariesContaining(ctx context.Context, db data.Querier, conv int64, substrings, models []string) ([]Summary, error) {
	where, args := "(0", []any{conv}
	for _, sub := range substrings {
		where, args = where+" OR instr(s.content, ?) > 0", append(args, sub)
	}
	if db.Schema().Has("summaries", "model") {
		for _, m := range models {
			where, args = where+" OR s.model = ?", append(args, m)
		}
	}
	return summaries(ctx, db, data.RowQuery{
		Where: "s.conversation_id = ?", Args: args[:1], Also: where + ")", AlsoArgs: args[1:], Order: "s.depth, s.summary_id",
	}, data.WholeText)
}

// NewestContextSummaries returns the newest summaries in the context of a conversation, newest first, at most limit of
// them, with whole texts.
func NewestContextSummaries(ctx context.Context, db data.Querier, conv int64, limit int) (out []Summary, err error) {
	// Most conversations have none, and to look for them in a long context takes a while.
	const query = "SELECT summary_id FROM context_items WHERE conversation_id = ?1 AND item_type = 'summary' " +
		"AND EXISTS (SELECT 1 FROM summaries WHERE conversation_id = ?1) ORDER BY ordinal DESC LIMIT ?2"
	ids, err := data.Collect(ctx, db, "read context", query, []any{conv, limit}, func(scan data.RowScanner, id *data.Text) error { return scan(id) })
	for _, id := range ids {
		s, failed := ReadSummary(ctx, db, string(id))
		if errors.Is(failed, data.ErrNotFound) {
			continue // The item names a row that isn't there.
		}
		if failed != nil {
			return out, failed
		}
		out = append(out, s)
	}
	return out, err
}

// ReadSummary returns one summary with its whole text, or a NotFoundError.
func ReadSummary(ctx context.Context, db data.Querier, id string) (Summary, error) {
	ss, err := summaries(ctx, db, data.RowQuery{Where: "s.summary_id = ?", Args: []any{id}}, data.WholeText)
	if err != nil {
		return Summary{}, err
	}
	if len(ss) == 0 {
		return Summary{}, db.NotFound("summary", id)
	}
	noteRead(ctx, SourceText{Summary: id}, ss[0].digestedFields())
	return ss[0], nil
}

func summaries(ctx context.Context, db data.Querier, q data.RowQuery, clipBytes int) ([]Summary, error) {
	s := db.Schema()
	if !s.Has("summaries") {
		return nil, nil
	}
	q.From, q.Number = "summaries s", "s.rowid"
	q.Selected = "s.summary_id, s.conversation_id, s.kind, " + s.Expr("summaries", "s", "depth", "0") + ", " +
		s.Clip("s.content", clipBytes) + ", " + s.ByteLength("s.content") + ", " +
		s.Exprs("summaries", "s", "token_count", "earliest_at", "latest_at", "descendant_count", "descendant_token_count",
			"source_message_token_count", "created_at", "file_ids", "model")
	return data.CollectRows(ctx, db, "read summaries", q, nil, func(scan data.RowScanner, v *Summary) error {
		err := scan((*data.Text)(&v.ID), (*data.Integer)(&v.Conversation), (*data.Word)(&v.Kind), (*data.Integer)(&v.Depth), (*data.Text)(&v.Content),
			(*data.Integer)(&v.Bytes), (*data.Integer)(&v.Tokens), &v.EarliestAt, &v.LatestAt, (*data.Integer)(&v.Descendants),
			(*data.Integer)(&v.DescendantTokens), (*data.Integer)(&v.SourceTokens), &v.CreatedAt, (*data.Word)(&v.FileIDs), (*data.Word)(&v.Model))
		v.Bytes = s.TextBytes(v.Content, v.Bytes)
		v.Content = data.Clipped(v.Content, clipBytes)
		return err
	})
}

// RawSummary is a row of summaries with its cells as they are stored.
type RawSummary struct {
	ID               string
	Kind             string
	Depth            int64
	Content          data.Stored
	Tokens           data.Number
	EarliestAt       data.Time
	LatestAt         data.Time
	CreatedAt        data.Time
	Descendants      int64
	DescendantTokens int64 // From 0.3.0.
	SourceTokens     int64 // From 0.3.0.
	FileIDs          data.Stored
	Model            string // From 0.5.0.
	// OddDepth and OddCounters say that the depth, or one of the numbers of what lies below, is no whole number in the file.
	OddDepth, OddCounters bool
}

// Condensed reports whether the row says that it was made of other summaries.
func (s *RawSummary) Condensed() bool { return s.Kind == KindCondensed }

// CountsSources reports whether depth, times and sums of a summary are those of the summaries that it is linked to, and not of
// messages: its links say so, or its kind where it has none, or links of both kinds.
func CountsSources(kind string, sources, messages int) bool {
	if (sources > 0) == (messages > 0) {
		return kind == KindCondensed
	}
	return sources > 0
}

// EachRawSummary calls fn with every summary of a conversation, oldest first. A
// summary is good until fn returns.
func EachRawSummary(ctx context.Context, db data.Querier, conv int64, fn func(*RawSummary) error) error {
	s := db.Schema()
	if !s.HasCore("summaries") {
		return nil
	}
	number := func(column string) string { return s.Expr("summaries", "s", column, "0") + ", " } // One that the file lacks isn't odd.
	query := "SELECT s.summary_id, s.kind, " + number("depth") + s.Stored("summaries", "s", "content token_count earliest_at latest_at created_at") + ", " +
		number("descendant_count") + number("descendant_token_count") + number("source_message_token_count") + s.Stored("summaries", "s", "file_ids model") +
		" FROM summaries s WHERE s.conversation_id = ? ORDER BY s.created_at, s.rowid"
	var v RawSummary
	var depth, summaries, tokens, messages data.Number
	return data.Each(ctx, db, "read summaries", query, []any{conv}, func(scan data.RowScanner) error {
		err := scan((*data.Text)(&v.ID), (*data.Word)(&v.Kind), &depth, &v.Content, &v.Tokens, &v.EarliestAt, &v.LatestAt,
			&v.CreatedAt, &summaries, &tokens, &messages, &v.FileIDs, (*data.Word)(&v.Model))
		if err != nil {
			return err
		}
		v.Depth, v.OddDepth = depth.Value, !depth.Valid
		v.Descendants, v.DescendantTokens, v.SourceTokens = summaries.Value, tokens.Value, messages.Value
		v.OddCounters = !summaries.Valid || !tokens.Valid || !messages.Valid
		return fn(&v)
	})
}

// SummaryRow returns a summary as a row of summaries, with the columns that this file has.
func SummaryRow(db data.Querier, s Summary) data.Row {
	r := data.Row{}
	for column, v := range map[string]any{
		"summary_id": s.ID, "conversation_id": s.Conversation, "kind": s.Kind, "depth": s.Depth, "content": s.Content,
		"token_count": s.Tokens, "earliest_at": s.EarliestAt.Cell(), "latest_at": s.LatestAt.Cell(),
		"descendant_count": s.Descendants, "descendant_token_count": s.DescendantTokens,
		"source_message_token_count": s.SourceTokens, "created_at": s.CreatedAt.Cell(), "file_ids": s.FileIDs, "model": s.Model,
	} {
		if db.Schema().Has("summaries", column) {
			r[column] = v
		}
	}
	return r
}
