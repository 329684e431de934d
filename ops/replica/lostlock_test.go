package replica_test

import (
	"testing"

	"lcm-tui/data/postgres"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testpostgres"
	"lcm-tui/ops/replica"
)

// TestASyncNeedsOneConnectionOfAPooler: syncs don't keep all connections for their locks and wait for each other then.
func TestASyncNeedsOneConnectionOfAPooler(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	pooled, err := postgres.Parse(testpostgres.Pooled(t, s.address.Key(), 1))
	if err != nil {
		t.Fatal(err)
	}
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	if _, err := replica.Sync(t.Context(), db, pooled, options("laptop")); err != nil {
		t.Fatal(err)
	}
	s.verify(db, options("laptop"))
}

// TestASyncThatLostItsLockWritesNothingBesideAnother: where the server ended the connection of its lock, and another sync wrote meanwhile, it
// ends as one that has to wait. No row is there twice, and the next sync goes on.
func TestASyncThatLostItsLockWritesNothingBesideAnother(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"new", "known"} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			path := testdb.Sample(t, fakehost.Head)
			db := testdb.Open(t, path)
			o := options("laptop")
			if state == "known" {
				s.sync(db, o)
				changeFile(t, path, func(h *fakehost.Writer) error {
					_, err := h.Message(1, fakehost.Message{Role: "user", Content: "Written since."})
					return err
				})
			}
			first := o
			isFirst := true
			first.Report = func(_, _ int, note string) {
				if note != "sending rows" || !isFirst {
					return
				}
				isFirst = false
				s.count("SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())")
				s.sync(db, o)
			}
			if _, err := replica.Sync(t.Context(), db, s.address, first); !isLocked(err) {
				t.Errorf("beside another sync: %v", err)
			}
			s.verify(db, o)
			s.sync(db, o)
		})
	}
}
