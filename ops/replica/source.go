package replica

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/fileidentity"
	"lcm-tui/data/pagestream"
	"lcm-tui/data/postgres"
	"lcm-tui/internal/hint"
)

// Source is a database of some machine, as a replica has it.
type Source struct {
	ID        int64  `json:"-"`
	Name      string `json:"name"`
	Host      string `json:"host"`
	Path      string `json:"path"` // Of the file on that machine.
	Principal string `json:"principal"`
	Origin    string `json:"origin"`
	Level     Level  `json:"level"`
	Redacted  bool   `json:"redacted"`
	Filter    Filter `json:"filter,omitzero"` // Which conversations are sent.
	// KeepsDeleted says that what the host deletes goes to a source of its own; DeletedOf is the source of which this is one, or 0.
	KeepsDeleted bool       `json:"keeps_deleted,omitempty"`
	DeletedOf    int64      `json:"-"`
	Revision     int64      `json:"revision"`
	Bytes        int64      `json:"file_bytes"`
	SyncedAt     *time.Time `json:"synced_at"`   // When it was last found equal to the file.
	ComparedAt   *time.Time `json:"compared_at"` // When every byte was last compared.

	stamp     string
	structure string
	identity  *fileidentity.Identity
}

const sourceQuery = `SELECT source_id, name, host, path, principal, origin, level, redacted, revision, file_bytes, synced_at, compared_at, stamp, structure, filter, keeps_deleted, coalesce(deleted_of, 0), identity::text
	FROM lcm.sources`

// scanSource reads a row of sourceQuery.
func scanSource(scan postgres.Scanner) (s Source, err error) {
	var identity *string
	var filter string
	err = scan(&s.ID, &s.Name, &s.Host, &s.Path, &s.Principal, &s.Origin, &s.Level, &s.Redacted, &s.Revision, &s.Bytes, &s.SyncedAt, &s.ComparedAt, &s.stamp, &s.structure, &filter, &s.KeepsDeleted, &s.DeletedOf, &identity)
	if err == nil {
		s.Filter, err = readFilter(filter)
	}
	if err == nil && identity != nil {
		s.identity = &fileidentity.Identity{}
		err = json.Unmarshal([]byte(*identity), s.identity)
	}
	return s, err
}

// Sources returns the sources of a replica by name.
func Sources(ctx context.Context, conn *postgres.Conn) (out []Source, err error) {
	err = conn.Query(ctx, "read the sources of", sourceQuery+" ORDER BY name", nil, func(scan postgres.Scanner) error {
		s, err := scanSource(scan)
		out = append(out, s)
		return err
	})
	return out, err
}

// ErrNoSource says that a replica has no source of a name.
var ErrNoSource = errors.New("the replica has no such source")

// findSource returns the source of a name; ok is false where there is none.
func findSource(ctx context.Context, conn *postgres.Conn, name string) (s Source, ok bool, err error) {
	err = conn.Query(ctx, "read the sources of", sourceQuery+" WHERE name = $1", []any{name}, func(scan postgres.Scanner) (err error) {
		s, err = scanSource(scan)
		ok = true
		return err
	})
	return s, ok, err
}

// FindSource returns the source of a name.
func FindSource(ctx context.Context, conn *postgres.Conn, name string) (Source, error) {
	s, ok, err := findSource(ctx, conn, name)
	if err == nil && !ok {
		err = hint.Wrap(fmt.Errorf("%w: %s", ErrNoSource, name), "lcm-tui sync --apply makes it; lcm-tui fleet sources lists those that are there")
	}
	return s, err
}

// ErrAnotherDatabase says that a source has another database than the one that is sent.
var ErrAnotherDatabase = errors.New("the source is another database")

// checkSame refuses to put one database in the place of another.
func checkSame(ctx context.Context, db *data.DB, s Source, host string) error {
	refuse := hint.Wrap(fmt.Errorf("%w: %s is %s on %s", ErrAnotherDatabase, s.Name, s.Path, s.Host),
		"give this one a name of its own with --source NAME; or remove the other: lcm-tui fleet forget "+s.Name)
	if s.identity == nil {
		return nil
	}
	found, err := fileidentity.FindSample(ctx, db, s.identity.Sample)
	switch {
	case errors.Is(err, fileidentity.ErrOtherDatabase):
		return refuse
	case err != nil:
		return err
	case found == 0 && (s.Host != host || s.Path != db.Path()):
		return refuse
	}
	return nil
}

// saveSource makes the source of a database, or notes what the file is now. Its stamp is empty from then on, until
// everything is equal.
func saveSource(ctx context.Context, db *data.DB, conn *postgres.Conn, e extent, o Options) (id int64, err error) {
	identity, err := fileidentity.Read(ctx, db)
	if err != nil {
		return 0, err
	}
	if !e.filter.IsEmpty() || e.level == LevelMetrics { // Only the numbers and times of conversations leave the machine that aren't sent.
		for i := range identity.Sample {
			identity.Sample[i].SessionID = ""
		}
	}
	known, err := json.Marshal(identity)
	if err != nil {
		return 0, err
	}
	tables, statements, err := describeFile(ctx, db, e)
	if err != nil {
		return 0, err
	}
	kind := db.Kind()
	const query = `INSERT INTO lcm.sources (name, host, path, principal, origin, level, redacted, identity, kind, schema_level, generation, tables, statements, filter, keeps_deleted)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8::text::jsonb, $9, $10, $11, $12::text::jsonb, $13::text::jsonb, $14, $15)
		ON CONFLICT (name) DO UPDATE SET host = excluded.host, path = excluded.path, principal = excluded.principal, origin = excluded.origin,
			level = excluded.level, redacted = excluded.redacted, identity = excluded.identity, kind = excluded.kind, schema_level = excluded.schema_level,
			generation = excluded.generation, tables = excluded.tables, statements = excluded.statements, filter = excluded.filter, keeps_deleted = excluded.keeps_deleted, stamp = ''
		RETURNING source_id`
	_, err = conn.One(ctx, "write to", query, []any{
		o.Source, o.Host, db.Path(), o.Principal, o.Origin, string(e.level), e.mask != nil, safeJSON(known), kind.Name, kind.Level, kind.Generation, safeJSON(tables), safeJSON(statements), e.filter.text(), e.keepsDeleted,
	}, &id)
	return id, err
}

// describeFile returns the tables of a file and the statements that make them, as JSON.
func describeFile(ctx context.Context, db *data.DB, e extent) (tables, statements []byte, err error) {
	err = db.Snapshot(ctx, "read schema", func(t *data.Tx) error {
		s, err := readShapeOf(ctx, t, e)
		if err != nil {
			return err
		}
		described, err := fileTables(ctx, t, s, e.level)
		if err != nil {
			return err
		}
		if tables, err = json.Marshal(described); err != nil {
			return err
		}
		made, err := fileStatements(ctx, t)
		if err != nil {
			return err
		}
		statements, err = json.Marshal(made)
		return err
	})
	return tables, statements, err
}

// fileTables returns the tables of which rows are sent, with the columns that are. Virtual tables are none of them: SQLite can't say the
// columns of one whose module this program doesn't have.
func fileTables(ctx context.Context, on data.Connection, s *shape, level Level) (map[string]postgres.FileTable, error) {
	out := map[string]postgres.FileTable{}
	if level == LevelMetrics {
		return out, nil
	}
	sent := map[string]*tableShape{}
	for _, t := range append(append([]*tableShape{}, s.tables...), s.others...) {
		sent[t.name] = t
	}
	const query = `SELECT m.name, p.name, p."notnull" AND p.dflt_value IS NULL AND p.pk = 0, p.pk,
			p.type LIKE '%INT%' OR p.type LIKE '%REAL%' OR p.type LIKE '%FLOA%' OR p.type LIKE '%DOUB%', m.sql NOT LIKE '%WITHOUT ROWID%'
		FROM main.sqlite_master m JOIN pragma_table_info(m.name, 'main') p WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY m.name, p.cid`
	err := data.EachRow(ctx, on, query, nil, func(scan data.RowScanner) error {
		var name string
		var c postgres.FileColumn
		var rowid bool
		if err := scan(&name, &c.Name, &c.Required, &c.Key, &c.Number, &rowid); err != nil {
			return err
		}
		if t := sent[name]; t != nil && t.has(c.Name) {
			now := out[name]
			now.RowID, now.Columns = rowid, append(now.Columns, c)
			out[name] = now
		}
		return nil
	})
	return out, err
}

// fileStatement is a statement that makes a table, an index, a view or a trigger of a file.
type fileStatement struct {
	Type  string `json:"type"`
	Name  string `json:"name"`
	Table string `json:"table"`
	SQL   string `json:"sql"`
}

// fileStatements returns the statements that made a file, in their order.
func fileStatements(ctx context.Context, on data.Connection) (out []fileStatement, err error) {
	err = data.EachRow(ctx, on, "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid", nil, func(scan data.RowScanner) error {
		var s fileStatement
		err := scan((*data.Text)(&s.Type), (*data.Text)(&s.Name), (*data.Text)(&s.Table), (*data.Text)(&s.SQL))
		out = append(out, s)
		return err
	})
	return out, err
}

// stampOf returns what a file is like now, together with what is sent of it; settled is false where it was written
// so lately that another write might leave it the same.
func stampOf(db *data.DB, e extent) (stamp string, settled bool) {
	stamp, settled = pagestream.StampOf(db)
	return fmt.Sprintf("%d %s %t %t %s%s", postgres.NewestSchema(), e.level, e.mask != nil, e.keepsDeleted, e.filter.text(), stamp), settled
}

// Forget deletes a source and everything that the replica has of it, also what was deleted from its file. It returns the names of the
// sources that are gone. The audit stays.
func Forget(ctx context.Context, conn *postgres.Conn, name, principal, origin string) (rows int64, names []string, err error) {
	err = conn.Transact(ctx, "forget a database of", func() error {
		s, err := FindSource(ctx, conn, name)
		if err != nil {
			return err
		}
		if err := conn.TryLock(ctx, "write to", lockName(name), 0); err != nil {
			return err
		}
		deleted, title, err := deletedSource(ctx, conn, s.ID)
		if err != nil {
			return err
		}
		rows, names = 0, nil
		for id, name := range map[int64]string{s.ID: name, deleted: title} {
			if id == 0 {
				continue
			}
			n, err := forgetOne(ctx, conn, id, auditEntry{action: "forget", source: id, name: name, principal: principal, origin: origin})
			if err != nil {
				return err
			}
			rows, names = rows+n, append(names, name)
		}
		slices.Sort(names)
		return nil
	})
	if errors.Is(err, postgres.ErrRights) { // Who sends databases may not delete orders.
		err = hint.Wrap(err, "a user with the role "+postgres.RoleOwner+" may forget a database")
	}
	return rows, names, err
}

// forgetOne deletes one source and notes it in the audit.
func forgetOne(ctx context.Context, conn *postgres.Conn, source int64, entry auditEntry) (rows int64, err error) {
	if rows, err = deleteSource(ctx, conn, source); err != nil {
		return rows, err
	}
	for _, table := range []string{"findings", "orders", "sources"} {
		if _, err := conn.Exec(ctx, "write to", "DELETE FROM lcm."+table+" WHERE source_id = $1", source); err != nil {
			return rows, err
		}
	}
	entry.detail = map[string]any{"rows": rows}
	return rows, audit(ctx, conn, entry)
}

// deleteSource deletes the rows of a source.
func deleteSource(ctx context.Context, conn *postgres.Conn, source int64) (rows int64, err error) {
	for _, table := range append(tableNames(), "odd_cells", "other_rows", "search_docs", "sync_conversations", "sync_tables") {
		n, err := conn.Exec(ctx, "write to", "DELETE FROM lcm."+table+" WHERE source_id = $1", source)
		if err != nil {
			return rows, err
		}
		rows += n
	}
	return rows, nil
}

// lockName names the lock of a source, which is that of what was deleted from it, too.
func lockName(source string) string {
	return "lcm-tui source " + strings.TrimSuffix(source, DeletedEnd)
}

// auditEntry is who did what.
type auditEntry struct {
	action            string
	source            int64
	name              string
	principal, origin string
	detail            map[string]any
}

// audit notes who did what.
func audit(ctx context.Context, conn *postgres.Conn, e auditEntry) error {
	detail, err := json.Marshal(e.detail)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "note in the audit of", "INSERT INTO lcm.audit (action, source_id, source_name, principal, origin, detail) VALUES ($1, $2, $3, $4, $5, $6::text::jsonb)",
		e.action, e.source, e.name, e.principal, e.origin, safeJSON(detail))
	return err
}
