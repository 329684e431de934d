package home

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
	"lcm-tui/data/postgres/reading"
	"lcm-tui/data/postgres/translate"
	"lcm-tui/internal/hint"
)

func init() { data.RegisterReplicas(postgres.IsAddress, Open) }

// Open opens what an address names: a source of a replica where it names one, else the home of the database, else the only source.
func Open(ctx context.Context, address string) (*data.DB, error) {
	a, err := postgres.Parse(reading.WholeAddress(address))
	if err != nil {
		return nil, err
	}
	if a.Source != "" {
		return reading.Open(ctx, address)
	}
	plain := a.OpenTextPool()
	db, err := open(ctx, a, plain)
	if db == nil {
		err = errors.Join(err, plain.Close())
	}
	if err != nil || db != nil {
		return db, err
	}
	return reading.Open(ctx, address)
}

// Exists reports whether the database of an address has a home.
func Exists(ctx context.Context, address string) (there bool, err error) {
	a, err := postgres.Parse(reading.WholeAddress(address))
	if err != nil {
		return false, err
	}
	pool := a.OpenPool()
	err = pool.QueryRowContext(ctx, homeSchema.Query()).Scan(&there)
	return there, errors.Join(a.Wrap(ctx, "look for a home in", err), pool.Close())
}

// open opens the home of a database. It returns nil where it has none.
func open(ctx context.Context, a *postgres.Address, plain *sql.DB) (*data.DB, error) {
	var there bool
	if err := plain.QueryRowContext(ctx, homeSchema.Query()).Scan(&there); err != nil || !there {
		return nil, wrapped(ctx, a, "open", err)
	}
	var version, bytes int64
	const facts = "SELECT (SELECT coalesce(max(version), 0) FROM home.schema_version), (SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class WHERE relnamespace = to_regnamespace('home') AND relkind = 'r')"
	if err := plain.QueryRowContext(ctx, facts).Scan(&version, &bytes); err != nil {
		return nil, wrapped(ctx, a, "open", err)
	}
	if version != int64(homeSchema.Newest()) {
		return nil, versionError(a, version)
	}
	t, err := readTables(ctx, plain)
	if err != nil {
		return nil, wrapped(ctx, a, "read the tables of", err)
	}
	plain.SetMaxIdleConns(data.ReaderConns + 1)
	w := &writer{tables: t}
	connector := &reading.Connector{Plain: plain, Tables: t.table, Version: revisionQuery, EncodeText: encodeText, DecodeText: decodeText}
	writing := *connector
	writing.Write = w.run
	writePool := sql.OpenDB(shared{&writing})
	writePool.SetMaxIdleConns(1)
	pool := sql.OpenDB(owning{connector, writePool})
	pool.SetMaxOpenConns(data.ReaderConns)
	pool.SetMaxIdleConns(data.ReaderConns)
	words := &wordWriter{open: map[*sql.Conn]*wordStatements{}}
	writes := &transactor{pool: writePool, words: words}
	return data.OpenReplica(&data.Replica{
		Name: a.String(), Source: "home", Host: a.String(), File: a.String(), Bytes: bytes, Tables: t.described, Pool: pool,
		Revision: func(ctx context.Context) (n int64, err error) {
			return n, plain.QueryRowContext(ctx, revisionQuery).Scan(&n)
		},
		Words: reading.NewHomeWords(a, plain),
		Wrap:  func(verb string, err error) error { return wrapped(context.WithoutCancel(ctx), a, verb, err) },
		Home: &data.Home{Transact: writes.run, Ready: func(ctx context.Context) error {
			_, err := plain.ExecContext(ctx, "UPDATE home.conversations SET active = 1 WHERE false") // A standby and missing rights refuse it, too.
			return err
		}, Lock: lock, Request: w.request, Reserve: w.reserve, Index: words.index, Sizes: func(ctx context.Context) (map[string]data.HomeTable, error) {
			sizes, err := tableSizes(ctx, plain, t.described)
			return sizes, a.Wrap(ctx, "read the size of", err)
		}},
	})
}

// tableSizes returns the size of each table of a home. Of described tables the reader counts the rows.
func tableSizes(ctx context.Context, plain *sql.DB, described map[string]data.ReplicaTable) (map[string]data.HomeTable, error) {
	const query = "SELECT relname, pg_total_relation_size(oid)::bigint FROM pg_class WHERE relnamespace = to_regnamespace('home') AND relkind = 'r'"
	rows, err := plain.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	sizes := map[string]data.HomeTable{}
	for rows.Next() {
		var name string
		var size data.HomeTable
		if err := rows.Scan(&name, &size.Bytes); err != nil {
			return nil, err
		}
		sizes[name] = size
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	for name, size := range sizes {
		if _, ok := described[name]; ok {
			continue
		}
		if err := plain.QueryRowContext(ctx, "SELECT count(*) FROM home."+pgx.Identifier{name}.Sanitize()).Scan(&size.Rows); err != nil {
			return nil, err
		}
		sizes[name] = size
	}
	return sizes, nil
}

// shared is a connector of a pool that another one closes.
type shared struct{ *reading.Connector }

// Close implements io.Closer.
func (shared) Close() error { return nil }

// owning is a connector whose pool closes another one and that of the server.
type owning struct {
	*reading.Connector
	other *sql.DB
}

// Close implements io.Closer.
func (o owning) Close() error { return errors.Join(o.other.Close(), o.Connector.Close()) }

// revisionQuery returns another number after each commit of a write: transactions don't end in the order of their numbers, so that
// the newest alone doesn't tell.
const revisionQuery = "SELECT coalesce(sum(batch_number), 0)::bigint FROM (SELECT batch_number FROM home.batches ORDER BY batch_number DESC LIMIT 1000) AS newest"

// versionError says that the home was made by another version of this program.
func versionError(a *postgres.Address, version int64) error {
	if version > int64(homeSchema.Newest()) {
		return &postgres.Error{Place: a.String(), Verb: "open the home in", Kind: postgres.ErrNewerSchema}
	}
	return hint.New("open "+a.String()+": the home was made by an older version of this program", "bring it up to date: lcm-tui init --db ADDRESS")
}

// homeHints say what to do about failures where the hint of a replica is another one.
var homeHints = map[error]string{
	postgres.ErrNoSchema: "make the home: lcm-tui init --db ADDRESS",
	postgres.ErrRights:   "ask the owner of the database for the role: lcm_home for writing, lcm_read for reading",
	data.ErrConstraint:   "plan the same change again; if it fails again, the rows involved are damaged",
	data.ErrLocked:       "nothing was written; wait for the other program to finish, and try again",
}

// wrapped puts a failure into words. What the translation doesn't know is a lack of this program.
func wrapped(ctx context.Context, a *postgres.Address, verb string, err error) error {
	var server *pgconn.PgError
	switch {
	case errors.Is(err, translate.ErrUnknown):
		return hint.Wrap(fmt.Errorf("%s %s: %w", verb, a, err), "a home can't do this: do it on a file")
	case errors.As(err, &server) && server.Code == "23505":
		return &data.StaleError{What: keyOf(server), Why: "exists already"}
	}
	err = a.Wrap(ctx, verb, err)
	var own *postgres.Error
	if errors.As(err, &own) && homeHints[own.Kind] != "" {
		return hint.Wrap(err, homeHints[own.Kind])
	}
	return err
}

// keyOf names the row that is there already: its table and the values of the key.
func keyOf(server *pgconn.PgError) string {
	_, values, found := strings.Cut(server.Detail, ")=(")
	if values, _, ends := strings.Cut(values, ")"); found && ends {
		return server.TableName + " " + values
	}
	return "a row of " + server.TableName
}
