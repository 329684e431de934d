package sessiondb_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/sessiondb"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestCutOffFile: of a file that was cut off the first part is read.
func TestCutOffFile(t *testing.T) {
	t.Parallel()
	path := testdb.AgentFile(t, 19, testdb.AgentSession{Key: "k", ID: "a", At: 1, Events: many(600)})
	b, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, b[:len(b)*2/3], 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	db := open(t, path)
	got, _ := events(t, db, "a")
	if len(got) < 200 || len(got) == 600 {
		t.Errorf("%d events of 600 are left", len(got))
	}
	if w := db.Warnings(); len(w) == 0 || !errors.Is(w[0], data.ErrDamaged) {
		t.Errorf("warnings %v", w)
	}
}

// TestInterruptedWrite: of a file in which a program was killed in the middle of a write, in
// the old journal mode, what was there before is read, from a copy.
func TestInterruptedWrite(t *testing.T) {
	t.Parallel()
	path := testdb.AgentFile(t, 19, testdb.AgentSession{Key: "k", ID: "a", At: 1, Events: many(300)})
	left := map[string][]byte{}
	testdb.ExecAgent(t, path, func(exec func(string, ...any)) {
		exec("PRAGMA journal_mode = DELETE")
		exec("PRAGMA cache_size = 2")
		exec("BEGIN IMMEDIATE")
		exec(`UPDATE transcript_events SET event_json = 'never committed' || hex(zeroblob(2000))`)
		for _, suffix := range []string{"", "-journal"} {
			b, err := os.ReadFile(path + suffix)
			if err != nil {
				t.Fatal(err)
			}
			left[suffix] = b
		}
		exec("ROLLBACK")
	})
	for suffix, b := range left {
		if err := os.WriteFile(path+suffix, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(string(left[""]), "never committed") {
		t.Fatal("nothing of the write reached the file")
	}
	before := folder(t, path)
	db := open(t, path)
	got, bad := events(t, db, "a")
	if len(got) != 300 || len(bad) > 0 || strings.Contains(strings.Join(got, ""), "never committed") {
		t.Errorf("%d events, %v", len(got), bad)
	}
	if len(db.Warnings()) == 0 {
		t.Error("nothing says that a copy is read")
	}
	if after := folder(t, path); len(after) != len(before) {
		t.Errorf("beside the file lie %v, not %v", after, before)
	}
}

// TestCopyWithWAL: where SQLite can't read the -wal, a copy is read with it.
func TestCopyWithWAL(t *testing.T) {
	t.Parallel()
	path := testdb.AgentFile(t, 19, testdb.AgentSession{Key: "k", ID: "a", At: 1, Events: many(3)})
	testdb.ExecAgent(t, path, func(exec func(string, ...any)) {
		exec("PRAGMA wal_autocheckpoint = 0")
		exec(`INSERT INTO transcript_events VALUES ('a', 3, '{}', 5)`)
		db, err := sessiondb.OpenCopy(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := events(t, db, "a"); len(got) != 4 {
			t.Errorf("%d events, want 4 with the one in the -wal", len(got))
		}
		if err := db.Close(); err != nil || len(db.Warnings()) == 0 {
			t.Errorf("%v, warnings %v", err, db.Warnings())
		}
	})
}

// alter runs a statement, and reports whether the file took it.
func alter(t *testing.T, path, statement string) bool {
	t.Helper()
	db, err := sql.Open("sqlite", data.FileURI(path, ""))
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), statement)
	if e := db.Close(); e != nil {
		t.Fatal(e)
	}
	return err == nil
}

// TestMissingTablesAndColumns: whatever a file lacks, what it has is listed and read.
func TestMissingTablesAndColumns(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	applied := 0
	for _, version := range []int{9, 19, 23} {
		whole := testdb.AgentFile(t, version, testdb.AgentSession{Key: "k", ID: "a", At: 1, Events: []string{"{}", `{"n":1}`}})
		for _, change := range []string{
			"DROP TABLE schema_meta", "DROP TABLE auth_profile_store", "DROP TABLE auth_profile_state",
			"DROP TABLE session_nodes", "DROP TABLE session_windows", "DROP TABLE sessions", "DROP TABLE session_entries",
			"DROP TABLE transcript_rewrite_watermarks", "DROP TABLE session_transcript_archives", "DROP TABLE session_transcript_cold_archives",
			"ALTER TABLE transcript_events DROP COLUMN created_at", "ALTER TABLE transcript_events DROP COLUMN navigation_json",
			"ALTER TABLE session_windows DROP COLUMN previous_session_id", "ALTER TABLE session_windows DROP COLUMN created_at",
			"ALTER TABLE session_windows DROP COLUMN session_key", "ALTER TABLE session_nodes DROP COLUMN current_session_id",
			"ALTER TABLE session_transcript_archives DROP COLUMN archive_blob", "ALTER TABLE schema_meta DROP COLUMN app_version",
			"ALTER TABLE transcript_rewrite_watermarks DROP COLUMN updated_at",
		} {
			path := testdb.Copy(t, whole)
			if !alter(t, path, change) {
				continue // This version doesn't have it.
			}
			applied++
			db := open(t, path)
			if got, bad := events(t, db, "a"); len(got) != 2 || len(bad) > 0 {
				t.Errorf("version %d, %s: %d events, %v", version, change, len(got), bad)
			}
			if _, err := db.SignIns(t.Context()); err != nil {
				t.Errorf("version %d, %s: %v", version, change, err)
			}
			if _, err := db.Archives(t.Context()); err != nil {
				t.Errorf("version %d, %s: %v", version, change, err)
			}
		}
	}
	if applied < 30 {
		t.Errorf("%d changes were tried", applied)
	}
	path := testdb.AgentFile(t, 23, testdb.AgentSession{Key: "k", ID: "a", At: 1, Events: []string{"{}"}})
	testdb.ExecAgent(t, path, func(exec func(string, ...any)) { exec("ALTER TABLE transcript_events DROP COLUMN event_zstd") })
	if got, _ := events(t, open(t, path), "a"); len(got) != 1 {
		t.Errorf("without a column for packed events: %v", got)
	}
	if _, err := sessiondb.Open(t.Context(), filepath.Join(t.TempDir(), "x")); !errors.Is(err, data.ErrMissing) {
		t.Error(err)
	}
}
