package replica_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/replica"
)

// TestARestoredFileHasEveryCell: it is equal to the replica that it came from, damaged rows included, and its search
// tables find what the rows say.
func TestARestoredFileHasEveryCell(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s := newServer(t)
	for name, path := range map[string]string{
		"healthy": testdb.Sample(t, fakehost.Head),
		"oldest":  testdb.Sample(t, fakehost.V0_1),
		"beta":    testdb.Sample(t, fakehost.Beta),
		"odd":     testdb.Sample(t, fakehost.Head, "bad-values"),
		"hostile": testdb.Sample(t, fakehost.Head, "hostile-text", "cross-conversation"),
		"changed": testdb.Sample(t, fakehost.Head, "host-double"),
	} {
		o := options(name)
		s.sync(testdb.Open(t, path), o)
		to := filepath.Join(t.TempDir(), "restored.db")
		r, err := replica.Restore(t.Context(), s.conn, replica.RestoreOptions{Source: name, To: to, Principal: "me", Origin: "test"})
		if err != nil || r.Rows == 0 || len(r.Skipped) > 0 {
			t.Errorf("%s: %+v, %v", name, r, err)
			continue
		}
		db := testdb.Open(t, to)
		s.verify(db, o)
		if len(db.Schema().FTS) != len(testdb.Open(t, path).Schema().FTS) || len(db.Schema().BrokenFTS) > 0 {
			t.Errorf("%s: search tables %v, broken %v", name, db.Schema().FTS, db.Schema().BrokenFTS)
		}
		if name == "changed" {
			all, err := change.History(t.Context(), db)
			if err != nil || len(all) != 1 || !strings.Contains(string(all[0].Detail), "coverage") {
				t.Errorf("history %+v, %v", all, err)
			}
			if err := change.Undo(t.Context(), db, all[0].ID); !errors.Is(err, change.ErrChangesNotSent) {
				t.Errorf("undo: %v", err)
			}
		}
		if name == "healthy" {
			var n data.Integer
			if _, err := data.One(t.Context(), db, "search", "SELECT count(*) FROM messages_fts WHERE messages_fts MATCH 'ledger'", nil, &n); err != nil || n == 0 {
				t.Errorf("the search finds %d messages, %v", n, err)
			}
		}
	}
}

// TestTablesOfAnotherProgramAreSent: a virtual table whose module this program doesn't have keeps nothing else from being sent, and a table
// that is called as if it were behind it is one of its own.
func TestTablesOfAnotherProgramAreSent(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	path := testdb.Sample(t, fakehost.Head)
	testdb.Execute(t, path, "CREATE TABLE vectors_config (a); INSERT INTO vectors_config VALUES ('mine'); PRAGMA writable_schema = ON; "+
		"INSERT INTO sqlite_master VALUES ('table', 'vectors', 'vectors', 0, 'CREATE VIRTUAL TABLE vectors USING vec0(e float[4])')")
	s.sync(testdb.Open(t, path), options("laptop"))
	to := filepath.Join(t.TempDir(), "restored.db")
	r, err := replica.Restore(t.Context(), s.conn, replica.RestoreOptions{Source: "laptop", To: to, Principal: "me", Origin: "test"})
	if err != nil || len(r.Skipped) != 1 || r.Skipped[0] != "table vectors" {
		t.Fatalf("%+v, %v", r, err)
	}
	if n, err := testdb.Count(to, "SELECT count(*) FROM vectors_config WHERE a = 'mine'"); n != 1 || err != nil {
		t.Errorf("%d rows of the other table, %v", n, err)
	}
}
