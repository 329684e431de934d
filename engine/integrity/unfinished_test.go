package integrity_test

import (
	"slices"
	"testing"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
)

// TestRowsOfAnUnfinishedRecordAreNoFaults: messages that a change has added so far have no parts
// and no place yet. Once nobody is to finish it they are found.
func TestRowsOfAnUnfinishedRecordAreNoFaults(t *testing.T) {
	t.Parallel()
	const message = `INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count, created_at)
		VALUES (9901, 1, 9901, 'tool', 'half made', 3, '2026-01-05 10:30:00'), (9902, 1, 9902, 'user', '', 1, '2026-01-05 10:30:00');`
	const record = `CREATE TABLE lcm_tui_undo (id INTEGER PRIMARY KEY, op TEXT NOT NULL, title TEXT NOT NULL, applied_at TEXT NOT NULL, undone_at TEXT,
			detail TEXT NOT NULL, changes TEXT NOT NULL, search TEXT NOT NULL);
		CREATE TABLE lcm_tui_undo_part (record INTEGER NOT NULL, part INTEGER NOT NULL, changes TEXT NOT NULL, search TEXT NOT NULL,
			undone INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (record, part));
		INSERT INTO lcm_tui_undo VALUES (1, 'transplant', 'transplant (not finished)', '2026-01-05T10:30:00.000Z', NULL, '{}', '[]', '[]');
		INSERT INTO lcm_tui_undo_part VALUES (1, -1, '[{"table":"messages","key":["message_id"],"before":null,"after":{"message_id":9901,"conversation_id":1}},` +
		`{"table":"messages","key":["message_id"],"before":null,"after":{"message_id":9902,"conversation_id":1}}]', '[]', 0);`
	halfMade := []integrity.FaultID{integrity.ToolResultWithoutCallID, integrity.MessageEmpty, integrity.MessageUnreferenced, integrity.MessageWithoutParts}
	for name, c := range map[string]struct {
		sql   string
		found bool
	}{"unfinished": {message + record, false}, "nobody's": {message, true}} {
		path := testdb.Sample(t, fakehost.Head)
		if err := faults.Alter(path, c.sql); err != nil {
			t.Fatal(err)
		}
		d, err := integrity.Check(t.Context(), testdb.Open(t, path), integrity.Request{Conversation: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		found := slices.ContainsFunc(d.Findings, func(f integrity.Finding) bool {
			return slices.Contains(halfMade, f.Fault) && (slices.Contains([]string{"9901", "9902"}, f.Row) || slices.Contains(f.Rows, "9901"))
		})
		if found != c.found {
			t.Errorf("%s: found %v", name, found)
		}
	}
}
