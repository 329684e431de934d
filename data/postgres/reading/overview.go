package reading

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
)

// Overview is a source with what is known of its file, and of the plans that were left for its machine.
type Overview struct {
	Source
	CheckedAt time.Time // When its machine checked the file; zero where it never did.
	Faults    []FaultCount
	Orders    []Order // The newest first, and of many the newest alone.
	Sizes     []Size  // Of the file at its syncs that changed something, the newest first: at most two.
}

// FaultCount is how often a machine found a fault in its file. The names are those of the file's check.
type FaultCount struct {
	Fault, Severity string
	Count           int
}

// Order is a plan that was left for a machine. Its texts are another user's.
type Order struct {
	Title, State string // The state is waiting, applied or refused.
	Answer       string // What the machine said; empty while the plan waits.
	At           time.Time
}

// Size is how large a file was at a sync, in bytes.
type Size struct {
	Bytes int64
	At    time.Time
}

// mostOrders is how many plans of a source are listed.
const mostOrders = 20

// Overviews lists the sources of a replica, by name, also where the address names one of them.
func Overviews(ctx context.Context, address string) (out []Overview, err error) {
	a, err := postgres.Parse(address)
	if err != nil {
		return nil, err
	}
	pool := a.OpenPool()
	defer func() { err = errors.Join(err, pool.Close()) }()
	all, err := sources(ctx, a, pool, sourceColumns+" ORDER BY name")
	if err != nil {
		return nil, err
	}
	byID := map[int64]*Overview{}
	out = make([]Overview, len(all))
	for i, s := range all {
		s.Place = placeOf(a, s.Name)
		if a.Source == "" {
			places.note(s.Place, withSource(address, s.Name))
		}
		out[i].Source, byID[s.id] = s, &out[i]
	}
	for _, read := range []func(context.Context, *sql.DB, map[int64]*Overview) error{readFaults, readOrders, readSizes} {
		if err := read(ctx, pool, byID); err != nil {
			return nil, a.Wrap(ctx, "read the state of", err)
		}
	}
	return out, nil
}

func readFaults(ctx context.Context, pool *sql.DB, byID map[int64]*Overview) error {
	const query = `SELECT s.source_id, s.checked_at, coalesce(f.fault, ''), coalesce(f.severity, ''), coalesce(f.findings, 0)
		FROM lcm.sources s LEFT JOIN lcm.finding_metrics f USING (source_id) ORDER BY s.source_id, f.findings DESC, f.fault`
	return data.EachRow(ctx, pool, query, nil, func(scan data.RowScanner) error {
		var id int64
		var at sql.NullTime
		var f FaultCount
		err := scan(&id, &at, &f.Fault, &f.Severity, &f.Count)
		if o := byID[id]; o != nil {
			if o.CheckedAt = at.Time; f.Count > 0 {
				o.Faults = append(o.Faults, f)
			}
		}
		return err
	})
}

func readOrders(ctx context.Context, pool *sql.DB, byID map[int64]*Overview) error {
	const query = `SELECT source_id, title, state, coalesce(answer, ''), coalesce(answered_at, ordered_at) AS at
		FROM (SELECT *, row_number() OVER (PARTITION BY source_id ORDER BY order_id DESC) AS place FROM lcm.orders) o WHERE place <= $1 ORDER BY source_id, place`
	return data.EachRow(ctx, pool, query, []any{mostOrders}, func(scan data.RowScanner) error {
		var id int64
		var one Order
		err := scan(&id, &one.Title, &one.State, &one.Answer, &one.At)
		if o := byID[id]; o != nil {
			o.Orders = append(o.Orders, one)
		}
		return err
	})
}

func readSizes(ctx context.Context, pool *sql.DB, byID map[int64]*Overview) error {
	const query = `SELECT s.source_id, a.bytes, a.at FROM lcm.sources s CROSS JOIN LATERAL (
			SELECT CAST(detail->>'file_bytes' AS bigint) AS bytes, at FROM lcm.audit
			WHERE source_id = s.source_id AND action = 'sync' AND detail ? 'file_bytes' ORDER BY audit_id DESC LIMIT 2) a
		ORDER BY s.source_id, a.at DESC`
	return data.EachRow(ctx, pool, query, nil, func(scan data.RowScanner) error {
		var id int64
		var one Size
		err := scan(&id, &one.Bytes, &one.At)
		if o := byID[id]; o != nil {
			o.Sizes = append(o.Sizes, one)
		}
		return err
	})
}
