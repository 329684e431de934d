package data

import "context"

// RawSummary is a row of summaries as it stands.
type RawSummary struct {
	ID               string
	Kind             string
	Depth            int64
	Content          Stored
	Tokens           Number
	EarliestAt       Time
	LatestAt         Time
	CreatedAt        Time
	Descendants      int64
	DescendantTokens int64 // From 0.3.0.
	SourceTokens     int64 // From 0.3.0.
	FileIDs          Stored
	Model            string // From 0.5.0.
}

// Condensed reports whether the row says that it was made of other summaries.
func (s *RawSummary) Condensed() bool { return s.Kind == KindCondensed }

// EachRawSummary calls fn with every summary of a conversation, oldest first. A
// summary is good until fn returns.
func (db *DB) EachRawSummary(ctx context.Context, conv int64, fn func(*RawSummary) error) error {
	s := db.schema
	if !s.ours("summaries") {
		return nil
	}
	query := "SELECT s.summary_id, s.kind, " + s.expr("summaries", "s", "depth", "0") + ", " +
		s.stored("summaries", "s", `content token_count earliest_at latest_at created_at descendant_count descendant_token_count
		source_message_token_count file_ids model`) + " FROM summaries s WHERE s.conversation_id = ? ORDER BY s.created_at, s.rowid"
	var v RawSummary
	return db.each(ctx, "read summaries", query, []any{conv}, func(scan RowScanner) error {
		err := scan((*text)(&v.ID), (*word)(&v.Kind), (*integer)(&v.Depth), &v.Content, &v.Tokens, &v.EarliestAt, &v.LatestAt,
			&v.CreatedAt, (*integer)(&v.Descendants), (*integer)(&v.DescendantTokens), (*integer)(&v.SourceTokens), &v.FileIDs, (*word)(&v.Model))
		if err != nil {
			return err
		}
		return fn(&v)
	})
}

// The search tables of summaries; the second is of trigrams.
const (
	SummaryIndex    = ftsSummaries
	SummaryTrigrams = ftsCJK
)

// IndexedSummaries calls fn with every row of a search table of summaries that is
// about a conversation's summaries, or for 0 with all its rows.
func (db *DB) IndexedSummaries(ctx context.Context, table string, conv int64, fn func(id, content string)) error {
	if !db.schema.Searchable(table) || !db.schema.Has(table+"_content", "c1") {
		return nil
	}
	query := "SELECT f.c0, f.c1 FROM " + QuoteName(table+"_content") + " f"
	if conv != 0 {
		query += " WHERE f.c0 IN (SELECT summary_id FROM summaries WHERE conversation_id = ?)"
	}
	return db.each(ctx, "read "+table, query, only(conv), func(scan RowScanner) error {
		var id, content text
		err := scan(&id, &content)
		fn(string(id), string(content))
		return err
	})
}
