package postgres_test

import (
	"errors"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
)

// holdALock takes the lock "a lock" until the test ends, and returns the address.
func holdALock(t *testing.T, address string) *postgres.Address {
	t.Helper()
	a, err := postgres.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	held, err := a.Hold(t.Context(), "sync to", "a lock", 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(held.Release)
	return a
}

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
	a := holdALock(t, address)
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
	if _, err := a.Hold(t.Context(), "sync to", "a lock", 0); !errors.Is(err, data.ErrLocked) {
		t.Errorf("the lock, which another one has: %v", err)
	}
}

// TestALockHoldsNoRowsBack: the server cleans up what others deleted, and marks what they wrote as seen by all, while the lock is kept.
func TestALockHoldsNoRowsBack(t *testing.T) {
	t.Parallel()
	address := replica(t)
	holdALock(t, address)
	var locks, keep int
	const query = `SELECT count(*), count(backend_xmin) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`
	if _, err := connect(t, address).One(t.Context(), "read", query, nil, &locks, &keep); err != nil || locks != 1 || keep != 0 {
		t.Errorf("%d of %d locks keep rows, %v", keep, locks, err)
	}
}
