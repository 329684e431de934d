package work_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestDamageThatTurnsOutLater: the use that finds it fails and says so, and the next one has a new file.
func TestDamageThatTurnsOutLater(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := opened(t, folder)
	testdb.Must(t, s.Pause(t.Context(), true))
	testdb.Must(t, s.Close())
	spoil(t, filepath.Join(folder, "work.db"), "setting")
	s = opened(t, folder)
	if _, err := s.Paused(t.Context()); !errors.Is(err, data.ErrDamaged) || !strings.Contains(hint.Of(err), "put aside") {
		t.Fatalf("%v; %s", err, hint.Of(err))
	}
	testdb.Must(t, s.Pause(t.Context(), true))
	if since, err := opened(t, folder).Paused(t.Context()); err != nil || since == "" {
		t.Errorf("another handle: %q, %v", since, err)
	}
	if aside, _ := filepath.Glob(filepath.Join(folder, "work.db.damaged-*[0-9]")); len(aside) != 1 {
		t.Errorf("put aside: %q", aside)
	}
}

// spoil makes the page of a table unreadable.
func spoil(t *testing.T, path, table string) {
	t.Helper()
	const pageSize = 4096
	db, err := sql.Open("sqlite", path)
	testdb.Must(t, err)
	var page int64
	testdb.Must(t, db.QueryRowContext(t.Context(), "SELECT rootpage FROM sqlite_master WHERE name = ?", table).Scan(&page))
	testdb.Must(t, db.Close())
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	testdb.Must(t, err)
	_, err = f.WriteAt([]byte(strings.Repeat("?", pageSize)), (page-1)*pageSize)
	testdb.Must(t, errors.Join(err, f.Close()))
}

// TestSeveralFindTheSameDamage: one puts the file aside, and what all of them note is in the new one.
func TestSeveralFindTheSameDamage(t *testing.T) {
	t.Parallel()
	const rounds, all, each = 36, 8, 5
	for i := range rounds {
		if !testlength.Runs(i) {
			continue
		}
		folder := t.TempDir()
		testdb.WriteText(t, filepath.Join(folder, "work.db"), "this is no database, and long enough to be looked at as one")
		noteAtOnce(t, folder, all, each, "")
		if aside, _ := filepath.Glob(filepath.Join(folder, "work.db.damaged-*[0-9]")); len(aside) != 1 {
			t.Errorf("put aside: %q", aside)
		}
		got, err := opened(t, folder).Receipts(t.Context())
		if err != nil || len(got) != 1 || got[0].Times != all*each {
			t.Errorf("%+v, %v", got, err)
		}
	}
}
