package reading

import (
	"context"
	"database/sql"
	"errors"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
)

const lagColumns = "SELECT l.synced_at, l.waiting_orders, l.refused_orders, l.refused_syncs FROM lcm.lag_metrics l"

// lagOf reads the lag of the first source that a condition finds; ok is false where there is none.
func lagOf(ctx context.Context, a *postgres.Address, pool *sql.DB, condition string, args ...any) (lag data.ReplicaLag, ok bool, err error) {
	var at sql.NullTime
	err = pool.QueryRowContext(ctx, lagColumns+condition, args...).Scan(&at, &lag.WaitingOrders, &lag.RefusedOrders, &lag.RefusedSyncs)
	lag.SyncedAt = at.Time
	if errors.Is(err, sql.ErrNoRows) {
		return lag, false, nil
	}
	return lag, err == nil, a.Wrap(ctx, "read the lag of", err)
}

// LagOfFile returns how far the replica at an address is behind a file of this machine; ok is false where it doesn't have that file.
func LagOfFile(ctx context.Context, address, path string) (lag data.ReplicaLag, ok bool, err error) {
	a, err := postgres.Parse(address)
	if err != nil {
		return lag, false, err
	}
	pool := openPool(a)
	defer func() { err = errors.Join(err, pool.release()) }()
	return lagOf(ctx, a, pool.DB, " JOIN lcm.sources s USING (source_id) WHERE s.host = $1 AND s.path = $2 ORDER BY l.synced_at DESC NULLS LAST LIMIT 1", postgres.HostName(), path)
}
