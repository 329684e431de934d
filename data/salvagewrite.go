package data

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"lcm-tui/data/pages"
)

// salvager writes the new file.
type salvager struct {
	*tx
	source *pages.File
	seen   map[uint32]bool
	tables []*salvaging
	counts map[string]int64 // What sqlite_sequence says.
	s      *Salvaged
	report Report
}

// fill reads all that there is into a new file.
func fill(ctx context.Context, source *pages.File, to string, s *Salvaged, report Report) (err error) {
	pool, err := sql.Open("sqlite", "file:"+escapePath(to)+"?mode=rw")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	w := &salvager{
		tx: &tx{Conn: conn, stmts: map[string]*sql.Stmt{}}, source: source, seen: map[uint32]bool{},
		counts: map[string]int64{}, s: s, report: report,
	}
	defer w.close()
	// Until it has its name nobody needs the file, so nothing is kept safe on the way.
	for _, pragma := range []string{
		fmt.Sprintf("page_size = %d", source.Size()), "journal_mode = MEMORY", "synchronous = OFF", "foreign_keys = OFF",
		"ignore_check_constraints = ON",
	} {
		if _, err := w.ExecContext(ctx, "PRAGMA "+pragma); err != nil {
			return err
		}
	}
	if _, err := w.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	if err := w.all(ctx); err != nil {
		return err
	}
	_, err = w.ExecContext(ctx, "COMMIT")
	return err
}

func (w *salvager) all(ctx context.Context) error {
	all, from, err := objects(ctx, w.source, w.seen)
	if err != nil {
		return err
	}
	w.s.Schema = from
	if err := w.create(ctx, all); err != nil {
		return err
	}
	if err := w.trees(ctx, all); err != nil {
		return err
	}
	if err := w.gather(ctx); err != nil {
		return err
	}
	if rows := w.accounts(); rows == 0 {
		return &Error{Path: w.s.From, Verb: "salvage", Kind: ErrDamaged, hint: "not one row can be read from it; restore a backup"}
	}
	if err := w.sequences(ctx); err != nil {
		return err
	}
	if err := w.index(ctx); err != nil {
		return err
	}
	return w.rest(ctx, all)
}

// create makes the tables, search tables last.
func (w *salvager) create(ctx context.Context, all []object) error {
	for _, virtual := range []bool{false, true} {
		for _, o := range all {
			if o.kind != "table" || o.virtual() != virtual || strings.HasPrefix(o.name, "sqlite_") || shadowOf(all, o.name) {
				continue
			}
			if err := w.table(ctx, o); err != nil {
				return err
			}
		}
	}
	return w.shadows(ctx, all)
}

// shadowOf reports whether a table belongs to a virtual one.
func shadowOf(all []object, name string) bool {
	return slices.ContainsFunc(all, func(v object) bool {
		return v.virtual() && slices.ContainsFunc(ftsShadows, func(s string) bool { return name == v.name+s })
	})
}

// table makes a table. One that SQLite doesn't take is noted and left out.
func (w *salvager) table(ctx context.Context, o object) error {
	known := slices.Contains([]string{ftsMessages, ftsSummaries, ftsCJK}, o.name)
	if o.virtual() && !known {
		w.note("the virtual table %s isn't carried over", o.name)
		return nil
	}
	if known && strings.Contains(strings.ToLower(o.sql), "content_rowid") {
		i := slices.IndexFunc(newest(), func(n object) bool { return n.name == o.name })
		o.sql = newest()[i].sql
	}
	if _, err := w.ExecContext(ctx, o.sql); err != nil {
		w.note("the table %s can't be made: %v", o.name, err)
		return ctx.Err()
	}
	if o.virtual() {
		return nil
	}
	return w.learn(ctx, o, false)
}

// learn takes a table's columns from the new file, in the order of records.
func (w *salvager) learn(ctx context.Context, o object, shadow bool) error {
	t := &salvaging{object: o, account: SalvagedTable{Name: o.name, Lost: []LostRange{}}, rowid: true, shadow: shadow, strays: map[int64]bool{}}
	keys := 0
	err := each(ctx, w, "SELECT name, type, \"notnull\", \"notnull\" AND dflt_value IS NULL, pk FROM pragma_table_info(?) ORDER BY cid", []any{o.name},
		func(scan scanner) error {
			var c salvageColumn
			var declared string
			var pk int
			err := scan(&c.name, &declared, &c.notNull, &c.required, &pk)
			c.affinity = affinity(declared)
			if pk > 0 {
				keys++
				c.alias = strings.EqualFold(declared, "INTEGER")
			}
			t.columns = append(t.columns, c)
			return err
		})
	if err != nil {
		return err
	}
	for i := range t.columns {
		t.columns[i].alias = t.columns[i].alias && keys == 1
		t.rowid = t.rowid && !t.columns[i].alias
	}
	if strings.Contains(strings.ToUpper(o.sql[max(0, len(o.sql)-40):]), "WITHOUT ROWID") {
		if !shadow {
			w.note("the table %s has no rowids; its rows aren't carried over", o.name)
		}
		return nil
	}
	w.tables = append(w.tables, t)
	return nil
}

// shadows learns the tables behind the search tables, so that their pages aren't
// taken for others'.
func (w *salvager) shadows(ctx context.Context, all []object) error {
	var made []object
	err := each(ctx, w, "SELECT name, sql FROM sqlite_master WHERE type = 'table'", nil, func(scan scanner) error {
		o := object{kind: "table"}
		err := scan(&o.name, &o.sql)
		if shadowOf(all, o.name) {
			made = append(made, o)
		}
		return err
	})
	for _, o := range made {
		if i := slices.IndexFunc(all, func(a object) bool { return a.name == o.name }); i >= 0 {
			o.root = all[i].root
		}
		if err == nil {
			err = w.learn(ctx, o, true)
		}
	}
	return err
}

// trees reads the rows that the tables' trees lead to.
func (w *salvager) trees(ctx context.Context, all []object) error {
	w.source.Free(w.seen)
	for _, o := range all {
		if o.name == "sqlite_sequence" && o.root > 0 {
			if _, err := w.source.Walk(o.root, w.seen, w.count); err != nil {
				return err
			}
		}
	}
	for i, t := range w.tables {
		w.report(i, len(w.tables), "reading "+t.name)
		if t.root == 0 {
			t.holes = []pages.Hole{{After: math.MinInt64, Until: math.MaxInt64}}
			continue
		}
		var err error
		if t.holes, err = w.source.Walk(t.root, w.seen, w.inserter(ctx, t)); err != nil {
			return err
		}
	}
	return nil
}

// count takes a row of sqlite_sequence.
func (w *salvager) count(r pages.Row) error {
	if len(r.Values) == 2 {
		w.counts[asText(r.Values[0])] = asInteger(r.Values[1])
	}
	return nil
}

// gather fills the holes from pages that nothing leads to.
func (w *salvager) gather(ctx context.Context) error {
	if !slices.ContainsFunc(w.tables, func(t *salvaging) bool { return len(t.holes) > 0 }) {
		return nil
	}
	w.report(0, 0, "looking through the pages that nothing leads to")
	unknown := 0
	err := w.source.Strays(w.seen, func(rows []pages.Row) (bool, error) {
		t := owner(w.tables, rows)
		if t == nil {
			unknown++
			return false, ctx.Err()
		}
		insert := w.inserter(ctx, t)
		for _, r := range rows {
			if !t.inHole(r.ID) || t.strays[r.ID] {
				continue
			}
			if err := insert(r); err != nil {
				return false, err
			}
			t.strays[r.ID] = true
		}
		return true, nil
	})
	if unknown > 0 {
		w.note("%d pages hold rows of which nothing tells what table they are of; they aren't carried over", unknown)
	}
	return err
}

func (w *salvager) note(format string, args ...any) {
	w.s.Notes = append(w.s.Notes, fmt.Sprintf(format, args...))
}

// inserter writes rows of a table. Those that break a rule of it are counted.
func (w *salvager) inserter(ctx context.Context, t *salvaging) func(pages.Row) error {
	if t.shadow {
		return func(pages.Row) error { return ctx.Err() }
	}
	queries := map[int]string{}
	return func(r pages.Row) error {
		n := len(r.Values)
		if n == 0 || n > len(t.columns) || !t.identified(r) {
			t.account.Refused++
			return nil
		}
		if queries[n] == "" {
			queries[n] = t.insert(n)
		}
		done, err := w.exec(ctx, queries[n], t.args(r)...)
		if err != nil && !errors.Is(kind(err), ErrConstraint) {
			return err
		}
		if err == nil {
			if made, err := done.RowsAffected(); err != nil || made == 1 {
				t.account.Rows++
				return err
			}
		}
		t.account.Refused++
		return nil
	}
}

// insert is the statement for a row of n values; what is missing gets its default.
func (t *salvaging) insert(n int) string {
	var names []string
	if t.rowid {
		names = append(names, "rowid")
	}
	for _, c := range t.columns[:n] {
		names = append(names, c.name)
	}
	return "INSERT OR IGNORE INTO " + quote(t.name) + " (" + quoteAll(names) + ") VALUES (" + marks(len(names)) + ")"
}

// identified reports whether the column that is the rowid is as SQLite stores it:
// empty.
func (t *salvaging) identified(r pages.Row) bool {
	for i, v := range r.Values {
		if t.columns[i].alias && v != nil {
			return false
		}
	}
	return true
}

func (t *salvaging) args(r pages.Row) []any {
	args := make([]any, 0, len(r.Values)+1)
	if t.rowid {
		args = append(args, r.ID)
	}
	for i, v := range r.Values {
		if t.columns[i].alias {
			v = r.ID
		}
		args = append(args, v)
	}
	return args
}
