package testdb

import (
	"database/sql"
	"fmt"
	"testing"

	"lcm-tui/internal/fakehost"
)

// invariants are queries that find nothing in a healthy file; the second group needs
// columns that came with 0.3.0.
var invariants = []string{
	`PRAGMA foreign_key_check`,
	`SELECT conversation_id FROM context_items GROUP BY 1 HAVING MIN(ordinal) <> 0 OR MAX(ordinal) <> COUNT(*) - 1`,
	`SELECT conversation_id FROM messages GROUP BY 1 HAVING MIN(seq) <> 1 OR MAX(seq) <> COUNT(*)`,
	`SELECT summary_id FROM summary_messages GROUP BY 1 HAVING MIN(ordinal) <> 0 OR MAX(ordinal) <> COUNT(*) - 1`,
	`SELECT summary_id FROM summary_parents GROUP BY 1 HAVING MIN(ordinal) <> 0 OR MAX(ordinal) <> COUNT(*) - 1`,
	`SELECT message_id FROM message_parts GROUP BY 1 HAVING MIN(ordinal) <> 0 OR MAX(ordinal) <> COUNT(*) - 1`,
	`SELECT message_id FROM messages WHERE message_id NOT IN (SELECT message_id FROM message_parts)`,
	// coverage: every message but compaction events is in the context or below a summary of it
	`WITH RECURSIVE c(id) AS (SELECT summary_id FROM context_items WHERE summary_id IS NOT NULL
		UNION SELECT parent_summary_id FROM summary_parents p JOIN c ON c.id = p.summary_id)
	SELECT message_id FROM messages WHERE message_id NOT IN (SELECT message_id FROM context_items WHERE message_id IS NOT NULL)
		AND message_id NOT IN (SELECT message_id FROM summary_messages JOIN c ON id = summary_id)
		AND message_id NOT IN (SELECT message_id FROM message_parts WHERE part_type = 'compaction')`,
	`SELECT message_id FROM messages WHERE trim(content) <> '' AND message_id NOT IN (SELECT id FROM messages_fts_docsize)`,
	`SELECT s.summary_id FROM summaries s LEFT JOIN summaries_fts f ON f.summary_id = s.summary_id AND f.content = s.content GROUP BY 1 HAVING COUNT(f.content) <> 1`,
	`SELECT s.summary_id FROM summaries s WHERE s.depth <> CASE kind WHEN 'leaf' THEN 0 ELSE
		(SELECT MAX(p.depth) + 1 FROM summary_parents l JOIN summaries p ON p.summary_id = l.parent_summary_id WHERE l.summary_id = s.summary_id) END`,
	`SELECT part_id FROM message_parts WHERE NOT json_valid(metadata)`,
}

var counters = []string{
	`SELECT summary_id FROM summaries s WHERE kind = 'leaf' AND source_message_token_count <>
		(SELECT SUM(token_count) FROM messages JOIN summary_messages l USING (message_id) WHERE l.summary_id = s.summary_id)`,
	`SELECT s.summary_id FROM summaries s JOIN summary_parents l ON l.summary_id = s.summary_id JOIN summaries p ON p.summary_id = l.parent_summary_id
		GROUP BY 1 HAVING s.descendant_count <> SUM(p.descendant_count + 1) OR s.descendant_token_count <> SUM(p.token_count + p.descendant_token_count)
		OR s.source_message_token_count <> SUM(p.source_message_token_count)
		OR s.earliest_at <> MIN(p.earliest_at) OR s.latest_at <> MAX(p.latest_at)`,
}

// CheckHealthy fails the test for every invariant that a file breaks.
func CheckHealthy(t testing.TB, path string, level fakehost.Level) {
	t.Helper()
	if got := Rows(t, path, "PRAGMA integrity_check"); len(got) != 1 || got[0] != "ok" {
		t.Errorf("integrity_check: %q", got)
	}
	all := invariants
	if !level.Before(fakehost.V0_3) {
		all = append(counters, all...)
	}
	for _, q := range all {
		if got := Rows(t, path, q); len(got) > 0 {
			t.Errorf("%d rows, first %s, break:\n%s", len(got), got[0], q)
		}
	}
}

// Rows runs a query on a file and gives its rows as text.
func Rows(t testing.TB, path, query string) []string {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rs, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rs.Close()
	cols, _ := rs.Columns()
	vals, into := make([]any, len(cols)), make([]any, len(cols))
	for i := range vals {
		into[i] = &vals[i]
	}
	var out []string
	for rs.Next() {
		if err := rs.Scan(into...); err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprint(vals...))
	}
	if err := rs.Err(); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return out
}
