package reading

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
	"lcm-tui/internal/hint"
)

// Source is a source of a replica.
type Source struct {
	Name, Host, Path string
	Place            string // What it is called, without a password: Open takes it.
	Level            string // How much of the file is there: metrics, summaries or full.
	Redacted         bool
	IsChosen         bool      // It has the conversations that a filter chooses.
	IsDeleted        bool      // It has what was deleted from another one.
	SyncedAt         time.Time // Zero where no sync has ended.
	Bytes            int64     // The size of the file.
	id               int64
	tables           map[string]postgres.FileTable
}

const sourceColumns = `SELECT source_id, name, host, path, level, redacted, filter <> '', deleted_of IS NOT NULL, coalesce(tables::text, ''), file_bytes, synced_at FROM lcm.sources`

// Sources lists the sources of a replica, by name. Open takes their places.
func Sources(ctx context.Context, address string) (out []Source, err error) {
	a, err := postgres.Parse(address)
	if err != nil {
		return nil, err
	}
	pool := a.OpenPool()
	defer func() { err = errors.Join(err, pool.Close()) }()
	out, err = sources(ctx, a, pool, sourceColumns+" ORDER BY name")
	for i, s := range out {
		out[i].Place = placeOf(a, s.Name)
		switch a.Source {
		case "":
			places.note(out[i].Place, withSource(address, s.Name))
		case s.Name:
			places.note(out[i].Place, address)
		}
	}
	if a.Source != "" {
		out = slices.DeleteFunc(out, func(s Source) bool { return s.Name != a.Source })
	}
	return out, err
}

func sources(ctx context.Context, address *postgres.Address, pool *sql.DB, query string, args ...any) (out []Source, err error) {
	err = data.EachRow(ctx, pool, query, args, func(scan data.RowScanner) error {
		var s Source
		var tables string
		var at sql.NullTime
		if err := scan(&s.id, &s.Name, &s.Host, &s.Path, &s.Level, &s.Redacted, &s.IsChosen, &s.IsDeleted, &tables, &s.Bytes, &at); err != nil {
			return err
		}
		s.SyncedAt = at.Time
		out = append(out, s)
		if tables == "" {
			return nil
		}
		return json.Unmarshal([]byte(tables), &out[len(out)-1].tables)
	})
	return out, address.Wrap(ctx, "read the sources of", err)
}

// choose returns the source that an address names, or the only one beside what was deleted from it.
func choose(ctx context.Context, address *postgres.Address, pool *sql.DB) (s Source, err error) {
	if address.Source != "" {
		found, err := sources(ctx, address, pool, sourceColumns+" WHERE name = $1", address.Source)
		if err == nil && len(found) == 0 {
			err = hint.New(address.String()+" has no source "+strconv.Quote(address.Source), "lcm-tui databases --db ADDRESS lists its sources")
		}
		if err != nil {
			return s, err
		}
		return found[0], nil
	}
	found, err := sources(ctx, address, pool, sourceColumns+" WHERE deleted_of IS NULL ORDER BY name LIMIT 2")
	switch {
	case err != nil:
		return s, err
	case len(found) == 0:
		return s, hint.New(address.String()+" has no sources", "lcm-tui sync --apply on a machine with a database makes one")
	case len(found) > 1:
		return s, hint.New(address.String()+" has several sources", "add one to the address, such as ?source="+url.QueryEscape(found[0].Name)+"; lcm-tui databases --db ADDRESS lists them")
	}
	return found[0], nil
}
