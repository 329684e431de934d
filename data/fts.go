package data

import (
	"context"
	"strings"
)

// The search tables. None has triggers: whoever changes a row keeps them in step.
const (
	ftsMessages  = "messages_fts"
	ftsSummaries = "summaries_fts"
	ftsCJK       = "summaries_fts_cjk"
)

// ShadowTables are the names of the tables in which SQLite keeps what a search table
// holds.
func ShadowTables(search string) (names []string) {
	for _, suffix := range ftsShadows {
		names = append(names, search+suffix)
	}
	return names
}

var ftsShadows = []string{"_data", "_idx", "_content", "_docsize", "_config"}

// probeFTS sorts the search tables into whole and broken ones. Hosts drop the
// CJK table where SQLite lacks the trigram tokenizer, so absence is no fault.
func (s *Schema) probeFTS(ctx context.Context, q querier) error {
	const query = `SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name IN (?, ?, ?) ORDER BY name`
	return each(ctx, q, query, []any{ftsMessages, ftsSummaries, ftsCJK}, func(scan RowScanner) error {
		var name, ddl string
		if err := scan(&name, &ddl); err != nil {
			return err
		}
		if s.wholeFTS(name, ddl) {
			s.FTS = append(s.FTS, name)
		} else {
			s.BrokenFTS = append(s.BrokenFTS, name)
		}
		return nil
	})
}

// wholeFTS: hosts up to 0.2 had external-content tables, recognised by
// content_rowid, which a newer host drops and makes again.
func (s *Schema) wholeFTS(name, ddl string) bool {
	for _, suffix := range ftsShadows {
		if !s.Has(name + suffix) {
			return false
		}
	}
	lower := strings.ToLower(ddl)
	if strings.Contains(lower, "content_rowid") || !strings.Contains(lower, "fts5") {
		return false
	}
	return name == ftsMessages || strings.Contains(lower, "summary_id")
}
