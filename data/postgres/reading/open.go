package reading

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
	"lcm-tui/data/postgres/translate"
	"lcm-tui/internal/hint"
)

func init() { data.RegisterReplicas(postgres.IsAddress, Open) }

// Open opens the source that an address names, or the only one of its replica, for reading.
func Open(ctx context.Context, address string) (*data.DB, error) {
	a, err := postgres.Parse(places.whole(address))
	if err != nil {
		return nil, err
	}
	plain := openPool(a)
	db, err := open(ctx, a, plain)
	if err != nil {
		return nil, errors.Join(err, plain.release())
	}
	return db, nil
}

func open(ctx context.Context, a *postgres.Address, plain *sharedPool) (*data.DB, error) {
	s, err := choose(ctx, a, plain.DB)
	if err != nil {
		return nil, err
	}
	if s.Level == "metrics" || len(s.tables) == 0 {
		return nil, hint.New("the replica has only counts of "+s.Name, "its texts are in "+s.Path+" on "+s.Host+"; lcm-tui sync --level full sends them")
	}
	tables := &sourceTables{source: s, odd: map[string][]string{}}
	if err := tables.readOdd(ctx, a, plain.DB); err != nil {
		return nil, err
	}
	noteRead(ctx, plain.DB, s.id)
	pool := sql.OpenDB(pooled{&Connector{Plain: plain.DB, Tables: tables.table}, plain})
	pool.SetMaxOpenConns(data.ReaderConns)
	pool.SetMaxIdleConns(-1) // Each would keep one of the shared pool, which keeps them itself.
	return data.OpenReplica(&data.Replica{
		Name: placeOf(a, s.Name), Source: s.Name, Host: s.Host, File: s.Path, At: s.SyncedAt, Bytes: s.Bytes, Tables: tablesOf(s.tables), Pool: pool,
		OnlySummaries: s.Level == "summaries", IsChosen: s.IsChosen, Words: newSourceWords(a, plain.DB, s.id), Findings: (&sentFindings{a, plain.DB, s.id}).read,
		Lag: func(ctx context.Context) (data.ReplicaLag, error) {
			lag, _, err := lagOf(ctx, a, plain.DB, " WHERE l.source_id = $1", s.id)
			return lag, err
		},
		Revision: func(ctx context.Context) (n int64, err error) {
			err = plain.QueryRowContext(ctx, "SELECT revision FROM lcm.sources WHERE source_id = $1", s.id).Scan(&n)
			if errors.Is(err, sql.ErrNoRows) {
				err = &hint.Error{Text: s.Name + " isn't in the replica any more", Next: "lcm-tui sync --apply on " + s.Host + " sends it again", Err: data.ErrForgotten}
			}
			return n, err
		},
		// The context of the opening may have ended long before a read fails.
		Wrap: func(verb string, err error) error { return wrapped(context.WithoutCancel(ctx), a, verb, err) },
	})
}

// wrapped puts a failure into words. What the translation doesn't know is a lack of this program.
func wrapped(ctx context.Context, a *postgres.Address, verb string, err error) error {
	if errors.Is(err, translate.ErrUnknown) {
		return hint.Wrap(fmt.Errorf("%s %s: %w", verb, a, err), "a replica can't answer this: run the command where the file is")
	}
	return a.Wrap(ctx, verb, err)
}

func tablesOf(tables map[string]postgres.FileTable) map[string]data.ReplicaTable {
	out := map[string]data.ReplicaTable{}
	for name, t := range tables {
		own := data.ReplicaTable{RowID: t.RowID}
		for _, c := range t.Columns {
			own.Columns = append(own.Columns, data.ReplicaColumn{Name: c.Name, Required: c.Required, Key: c.Key, Number: c.Number})
		}
		out[name] = own
	}
	return out
}

// readOdd reads of which columns some cells stand elsewhere, and of which tables rows.
func (t *sourceTables) readOdd(ctx context.Context, a *postgres.Address, pool *sql.DB) error {
	const query = "SELECT DISTINCT table_name, column_name FROM lcm.odd_cells WHERE source_id = $1 ORDER BY 1, 2"
	err := data.EachRow(ctx, pool, query, []any{t.source.id}, func(scan data.RowScanner) error {
		var table, column string
		err := scan(&table, &column)
		t.odd[table] = append(t.odd[table], column)
		return err
	})
	if err != nil {
		return a.Wrap(ctx, "read the odd cells of", err)
	}
	const images = "SELECT DISTINCT table_name FROM lcm.other_rows WHERE source_id = $1"
	err = data.EachRow(ctx, pool, images, []any{t.source.id}, func(scan data.RowScanner) error {
		var table string
		err := scan(&table)
		t.imaged = append(t.imaged, table)
		return err
	})
	return a.Wrap(ctx, "read the other rows of", err)
}
