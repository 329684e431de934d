package search_test

import (
	"slices"
	"strings"
	"testing"

	"lcm-tui/engine/search"
	"lcm-tui/internal/testdb"
)

// TestFilters: each filter lets pass what a statement on the file finds. The statement gives
// kinds and ids as the search does.
func TestFilters(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, "0.15.2")
	db := testdb.Open(t, path)
	const message, summary = "SELECT 'message msg:' || message_id FROM messages m WHERE ", "SELECT 'summary ' || summary_id FROM summaries s WHERE "
	leaf := testdb.Rows(t, path, "SELECT summary_id FROM summaries WHERE depth = 1 LIMIT 1")[0]
	for query, want := range map[string]string{
		"in:2":                 message + "conversation_id = 2 UNION " + summary + "conversation_id = 2",
		"-in:1,2 kind:message": message + "conversation_id NOT IN (1, 2)",
		"in:nowhere":           message + "0",
		"agent:main kind:message": message +
			"conversation_id IN (SELECT conversation_id FROM conversations WHERE session_key LIKE 'agent:main:%')",
		"role:tool":                            message + "role = 'tool'",
		"-role:tool,assistant kind:message":    message + "role NOT IN ('tool', 'assistant')",
		"kind:leaf":                            summary + "kind = 'leaf'",
		"kind:summary -kind:leaf":              summary + "kind <> 'leaf'",
		"depth:1..":                            summary + "depth >= 1",
		"depth:0,2":                            summary + "depth IN (0, 2)",
		"-depth:0 kind:summary":                summary + "depth <> 0",
		"before:2026-01-05T09:20 kind:message": message + "created_at < '2026-01-05 09:20'",
		"after:2026-01-05T09:20 kind:message":  message + "created_at >= '2026-01-05 09:20'",
		"on:2026-01-05 kind:message":           message + "created_at LIKE '2026-01-05%'",
		"is:context kind:message":              message + "EXISTS (SELECT 1 FROM context_items ci WHERE ci.message_id = m.message_id)",
		"-is:context kind:summary":             summary + "NOT EXISTS (SELECT 1 FROM context_items ci WHERE ci.summary_id = s.summary_id)",
		"under:" + leaf + " kind:summary":      summary + "summary_id IN (SELECT parent_summary_id FROM summary_parents WHERE summary_id = '" + leaf + "')",
		"under:" + leaf + " kind:message": message +
			"message_id IN (SELECT message_id FROM summary_messages JOIN summary_parents ON parent_summary_id = summary_messages.summary_id WHERE summary_parents.summary_id = '" + leaf + "')",
		"id:" + leaf:               summary + "summary_id = '" + leaf + "'",
		"id:msg:3,5":               message + "message_id IN (3, 5)",
		"tool:EXEC":                "SELECT 'part ' || part_id FROM message_parts WHERE tool_name = 'exec'",
		"kind:part":                "SELECT 'part ' || part_id FROM message_parts",
		"has:parts kind:message":   message + "EXISTS (SELECT 1 FROM message_parts p WHERE p.message_id = m.message_id)",
		"has:file kind:message":    message + "large_content IS NOT NULL OR EXISTS (SELECT 1 FROM message_parts p WHERE p.message_id = m.message_id AND part_type = 'file')",
		"kind:file":                "SELECT 'file ' || file_id FROM large_files",
		"file:CSV":                 "SELECT 'file ' || file_id FROM large_files WHERE file_name LIKE '%.csv'",
		"kind:focus":               "SELECT 'focus ' || brief_id FROM focus_briefs",
		"ledger role:user":         message + "role = 'user' AND content LIKE '%ledger%'",
		"make tool:exec kind:part": "SELECT 'part ' || part_id FROM message_parts WHERE tool_name = 'exec' AND tool_input LIKE '%make%'",
	} {
		if query == "in:2" {
			query = "in:2 kind:message,summary"
		}
		got, _ := unfolded(t, db, query, search.Options{})
		expected := testdb.Rows(t, path, want)
		for i := range expected {
			expected[i] = strings.Trim(expected[i], "'")
		}
		slices.Sort(expected)
		if !slices.Equal(got, expected) {
			t.Errorf("%s:\n found %q\nwanted %q", query, got, expected)
		}
	}
}

// TestAPlaceHasTheMessagesAround reads a hit in its place, with the summaries over it.
func TestAPlaceHasTheMessagesAround(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, testdb.Sample(t, "0.15.2"))
	err := search.Run(t.Context(), db, search.Parse("inventory kind:message,summary in:1", search.ParseOptions{}), search.Options{}, func(e search.Event) {
		found, ok := e.(search.Found)
		if !ok {
			return
		}
		for _, h := range found.Hits {
			p, err := search.ReadPlace(t.Context(), db, h)
			if err != nil {
				t.Fatal(err)
			}
			isMessage := h.Kind == search.MessageKind
			if isMessage && len(p.Before)+len(p.After) < 1 || !isMessage && !strings.Contains(strings.ToLower(p.Text), "inventory") {
				t.Errorf("%s: %+v", h.ID(), p)
			}
			if len(p.Cover) == 0 {
				t.Errorf("%s: no summary above", h.ID())
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
