package repair_test

import (
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

// TestAllSummariesAreLost: what they were made of comes back into the context, also
// through several of them, since the links say what that was; and a context in which
// nothing is left is filled with what there is.
func TestAllSummariesAreLost(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const uncovered = `SELECT count(*) FROM messages m WHERE m.conversation_id = 1 AND m.role <> 'system'
		AND NOT EXISTS (SELECT 1 FROM context_items c WHERE c.message_id = m.message_id)
		AND (trim(m.content) <> '' OR EXISTS (SELECT 1 FROM message_parts p WHERE p.message_id = m.message_id))`
	for name, more := range map[string]string{
		"their links are there": "SELECT 1",
		"all links are lost":    "DELETE FROM summary_parents",
		"nothing of it is left": "DELETE FROM summary_parents; DELETE FROM summary_messages; UPDATE context_items SET message_id = message_id + 70000 WHERE message_id IS NOT NULL",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := broken(t, fakehost.Head)
			h, err := fakehost.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, sql := range []string{"PRAGMA foreign_keys = OFF", "DELETE FROM summaries WHERE conversation_id = 1", more} {
				if err := h.Exec(sql); err != nil {
					t.Fatal(err)
				}
			}
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
			db := open(t, path)
			roundTrip(t, path, db, &repair.Op{All: true})
			p, err := (&repair.Op{All: true}).Plan(t.Context(), db, noReport)
			if err != nil {
				t.Fatal(err)
			}
			if len(p.Contexts) == 0 || len(p.Contexts[0].After) < 20 {
				t.Errorf("the context after it: %+v", p.Impact)
			}
			if _, err := ops.Apply(t.Context(), db, p); err != nil {
				t.Fatal(err)
			}
			if n, err := testdb.Count(path, uncovered); err != nil || n != 0 {
				t.Errorf("%d messages are nowhere, %v", n, err)
			}
		})
	}
}
