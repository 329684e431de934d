package replica_test

import (
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/replica"
)

// TestVerifySeesEveryKindOfDifference in the replica: a value, a storage class, a row too few or too many, a table that
// the file doesn't have. A sync that verifies sends again what differs.
func TestVerifySeesEveryKindOfDifference(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s := newServer(t)
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head, "bad-values"))
	o := options("laptop")
	s.sync(db, o)
	for name, statement := range map[string]string{
		"one character":           "UPDATE lcm.messages SET content = content || ' ' WHERE message_id = 3",
		"another time":            "UPDATE lcm.messages SET created_at = created_at + interval '1 second' WHERE message_id = 2",
		"NULL for a text":         "UPDATE lcm.conversations SET title = NULL WHERE conversation_id = 2",
		"a row too few":           "DELETE FROM lcm.context_items WHERE conversation_id = 1 AND ordinal = (SELECT max(ordinal) FROM lcm.context_items WHERE conversation_id = 1)",
		"a row twice":             "INSERT INTO lcm.summary_messages SELECT * FROM lcm.summary_messages LIMIT 1",
		"another group":           "UPDATE lcm.summaries SET sync_group = 77 WHERE summary_id = (SELECT min(summary_id) FROM lcm.summaries)",
		"an odd cell that's gone": "DELETE FROM lcm.odd_cells",
		"another storage class":   "UPDATE lcm.odd_cells SET class = CASE class WHEN 'text' THEN 'blob' ELSE 'text' END",
		"an image of no table":    "INSERT INTO lcm.other_rows SELECT source_id, 5, 'nothing', 1, '{}' FROM lcm.sources",
		"an image too few":        "DELETE FROM lcm.other_rows WHERE table_name = 'sqlite_sequence'",
	} {
		err := s.conn.Transact(t.Context(), "change", func() error {
			n, err := s.conn.Exec(t.Context(), "change", statement)
			if err != nil || n == 0 {
				t.Errorf("%s: %d rows were changed, %v", name, n, err)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		v, err := replica.Verify(t.Context(), db, s.conn, o)
		if err != nil || v.Different == 0 || v.Error() == nil {
			t.Errorf("%s isn't seen: %+v, %v", name, v, err)
		}
		repair := o
		repair.Verify = true
		s.sync(db, repair)
	}
}
