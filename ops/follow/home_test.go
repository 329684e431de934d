package follow_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testhome"
	"lcm-tui/internal/testreplica"
	"lcm-tui/ops/backfill"
	"lcm-tui/ops/follow"
)

// unwritable returns a home whose server takes no writes until allow is called, and a session file.
func unwritable(t *testing.T) (db *data.DB, path string, allow func()) {
	t.Helper()
	address := testhome.New(t)
	testreplica.Execute(t, address, `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`)
	path = filepath.Join(t.TempDir(), "s9.jsonl")
	testdb.Must(t, os.WriteFile(path, []byte(strings.Join(claudeSession(rand.New(rand.NewPCG(1, 2)), 4), "\n")+"\n"), 0o600))
	allow = func() {
		testreplica.Execute(t, address, `SET default_transaction_read_only = off`,
			`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET default_transaction_read_only', current_database()); END $$`,
			`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
	}
	return testhome.Open(t, address), path, allow
}

// TestWhatAServerRefusedIsImportedOnceItTakesIt, although the session file isn't written any more: its session is over by then.
func TestWhatAServerRefusedIsImportedOnceItTakesIt(t *testing.T) {
	t.Parallel()
	db, path, allow := unwritable(t)
	f := &follow.Follower{DB: db, Paths: []string{path}, Request: backfill.Op{Ended: true}}
	if _, err := f.Once(t.Context()); !errors.Is(err, data.ErrServer) {
		t.Fatalf("a server that refuses: %v", err)
	}
	allow()
	_, err := f.Once(t.Context())
	if _, again := f.Once(t.Context()); again != nil { // The first one may meet a connection that was ended.
		t.Errorf("%v, then %v", err, again)
	}
	if all, err := lcm.Conversations(t.Context(), db); err != nil || len(all) != 1 {
		t.Errorf("%d conversations, %v", len(all), err)
	}
}

// TestFollowingGoesOnBesideAServerThatRefuses, and says it once.
func TestFollowingGoesOnBesideAServerThatRefuses(t *testing.T) {
	t.Parallel()
	db, path, allow := unwritable(t)
	imports := make(chan follow.Import, 10)
	f := &follow.Follower{DB: db, Paths: []string{path}, Request: backfill.Op{Ended: true}, Poll: true, Tell: func(one follow.Import) { imports <- one }}
	ended := make(chan error, 1)
	go func() { ended <- f.Run(t.Context()) }()
	if one := <-imports; !errors.Is(one.Err, data.ErrServer) {
		t.Errorf("%v", one.Err)
	}
	allow()
	select {
	case one := <-imports:
		if one.Err != nil || len(one.Records) == 0 {
			t.Errorf("%+v", one)
		}
	case err := <-ended:
		t.Errorf("it ended: %v", err)
	case <-time.After(time.Minute):
		t.Error("nothing was imported")
	}
}

// TestAnImportThatFailsSaysThatNothingWasAdded.
func TestAnImportThatFailsSaysThatNothingWasAdded(t *testing.T) {
	t.Parallel()
	db, path, _ := unwritable(t)
	o := backfill.Op{Path: path, Follow: true}
	defer o.Close()
	if _, err := o.Import(t.Context(), db, func(int, int, string) {}); err == nil {
		t.Error("it was imported")
	}
	if s := o.Done(); s.Messages != 0 || s.Session != "s9" {
		t.Errorf("%+v", s)
	}
}
