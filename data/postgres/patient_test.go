package postgres_test

import (
	"errors"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
)

// TestALockOutlastsTheLimitForIdleTransactions: where the server ends transactions that are idle for a while, a lock stays until it is
// released, and a transaction that reads a file meanwhile is not ended.
func TestALockOutlastsTheLimitForIdleTransactions(t *testing.T) {
	t.Parallel()
	address := replica(t)
	conn := connect(t, address)
	const limit = `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET idle_in_transaction_session_timeout = 50', current_database()); END $$`
	if err := conn.Script(t.Context(), limit); err != nil {
		t.Fatal(err)
	}
	a, err := postgres.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	release, err := a.Hold(t.Context(), "sync to", "a lock", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	wait := func() error {
		_, err := conn.Exec(t.Context(), "wait", "SELECT pg_sleep(0.3)")
		return err
	}
	read := connect(t, address)
	if err := read.Snapshot(t.Context(), "read", wait); err != nil {
		t.Errorf("a snapshot: %v", err)
	}
	if err := read.TransactBulk(t.Context(), "write to", wait); err != nil {
		t.Errorf("a transaction of many rows: %v", err)
	}
	if _, err = a.Hold(t.Context(), "sync to", "a lock", 0); !errors.Is(err, data.ErrLocked) {
		t.Errorf("the lock, which another one has: %v", err)
	}
}
