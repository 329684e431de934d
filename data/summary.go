package data

import "context"

// Summary is a row of summaries.
type Summary struct {
	ID               string
	Conversation     int64
	Kind             string // "leaf" or "condensed".
	Depth            int64
	Content          string
	Bytes            int64 // The length of the whole content.
	Tokens           int64
	EarliestAt       Time
	LatestAt         Time
	Descendants      int64 // How many summaries lie below.
	DescendantTokens int64 // Their tokens. From 0.3.0.
	SourceTokens     int64 // The tokens of all messages below. From 0.3.0.
	CreatedAt        Time
	FileIDs          string // A JSON array of large files' ids, if all is well.
	Model            string // From 0.5.0.
}

// Condensed reports whether the summary was made of other summaries.
func (s Summary) Condensed() bool { return s.Kind == KindCondensed }

// The kinds of summary.
const (
	KindLeaf      = "leaf"
	KindCondensed = "condensed"
)

// Summaries are the summaries of a conversation by depth and age, each with the
// first clipBytes bytes of its text.
func (db *DB) Summaries(ctx context.Context, conv int64, clipBytes int) ([]Summary, error) {
	return db.summaries(ctx, "s.conversation_id = ? ORDER BY s.depth, s.created_at, s.summary_id", []any{conv}, clipBytes)
}

// SummariesContaining are the summaries of a conversation whose text contains
// one of the strings or whose model is one of models, with whole texts.
func (db *DB) SummariesContaining(ctx context.Context, conv int64, substrings, models []string) ([]Summary, error) {
	where, args := "s.conversation_id = ? AND (0", []any{conv}
	for _, sub := range substrings {
		where, args = where+" OR instr(s.content, ?) > 0", append(args, sub)
	}
	if db.schema.Has("summaries", "model") {
		for _, m := range models {
			where, args = where+" OR s.model = ?", append(args, m)
		}
	}
	return db.summaries(ctx, where+") ORDER BY s.depth, s.summary_id", args, Whole)
}

// Summary is one summary with its whole text, or a NotFoundError.
func (db *DB) Summary(ctx context.Context, id string) (Summary, error) {
	ss, err := db.summaries(ctx, "s.summary_id = ?", []any{id}, Whole)
	if err != nil {
		return Summary{}, err
	}
	if len(ss) == 0 {
		return Summary{}, db.notFound("summary", id)
	}
	return ss[0], nil
}

func (db *DB) summaries(ctx context.Context, where string, args []any, clipBytes int) ([]Summary, error) {
	s := db.schema
	if !s.Has("summaries") {
		return nil, nil
	}
	query := "SELECT s.summary_id, s.conversation_id, s.kind, " + s.expr("summaries", "s", "depth", "0") + ", " +
		clip("s.content", clipBytes) + ", " + byteLength("s.content") + ", " +
		s.exprs("summaries", "s", "token_count", "earliest_at", "latest_at", "descendant_count", "descendant_token_count",
			"source_message_token_count", "created_at", "file_ids", "model") + " FROM summaries s WHERE " + where
	return collect(ctx, db, "read summaries", query, args, func(scan scanner, v *Summary) error {
		err := scan((*text)(&v.ID), (*integer)(&v.Conversation), (*word)(&v.Kind), (*integer)(&v.Depth), (*text)(&v.Content),
			(*integer)(&v.Bytes), (*integer)(&v.Tokens), &v.EarliestAt, &v.LatestAt, (*integer)(&v.Descendants),
			(*integer)(&v.DescendantTokens), (*integer)(&v.SourceTokens), &v.CreatedAt, (*word)(&v.FileIDs), (*word)(&v.Model))
		v.Content = wholeRunes(v.Content, clipBytes != Whole)
		return err
	})
}
