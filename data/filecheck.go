package data

import (
	"context"
	"errors"
	"strings"
)

// PageCheck calls fn with every line that SQLite's own check of the file's pages,
// indexes, constraints and search tables has to say, at most so many, and with none
// where all is well. On a large file it takes many seconds.
//
// It has a connection of its own: a search table remembers, for as long as a connection
// lasts, where its pieces are, and the check would call it damaged when others have
// written since.
func PageCheck(ctx context.Context, db *DB, most int, fn func(line string)) error {
	pool, err := openPool(db.dsn(db.readerExtra), nil, db.sameFile)
	if err != nil {
		return db.Wrap("check the pages", err)
	}
	defer pool.Close()
	err = EachRow(ctx, pool, "PRAGMA integrity_check("+CellText(int64(most))+")", nil, func(scan RowScanner) error {
		var line Text
		err := scan(&line)
		if line != "ok" {
			fn(string(line))
		}
		return err
	})
	if err = db.Wrap("check the pages", err); errors.Is(err, ErrDamaged) {
		db.Warn(err)
		return nil
	}
	return err
}

// Violation is a row that refers to one that doesn't exist.
type Violation struct {
	Table, Parent string
	Conversation  int64    // Of the row, where it tells.
	Key           []string // The row's key.
}

// violationPlace is a row of PRAGMA foreign_key_check.
type violationPlace struct {
	Violation
	rowid Number
}

// violationPlaces runs PRAGMA foreign_key_check. It fails as a whole where one foreign key
// refers to a column that is no key; then it runs table by table, and what can't be checked
// becomes a warning.
func violationPlaces(ctx context.Context, db *DB) ([]violationPlace, error) {
	check := func(verb, argument string) ([]violationPlace, error) {
		return Collect(ctx, db, verb, "PRAGMA main.foreign_key_check"+argument, nil, func(scan RowScanner, p *violationPlace) error {
			return scan((*Word)(&p.Table), &p.rowid, (*Word)(&p.Parent), new(any))
		})
	}
	out, err := check("check references", "")
	if !errors.Is(err, ErrMismatch) {
		return out, err
	}
	out = nil
	for _, table := range db.Schema().Tables() {
		of, err := check("check references of "+table+" in", "("+QuoteName(table)+")")
		switch {
		case errors.Is(err, ErrMismatch):
			db.Warn(err)
		case err != nil:
			return out, err
		}
		out = append(out, of...)
	}
	return out, nil
}

// Violations lists the rows of the file whose foreign keys lead nowhere.
func Violations(ctx context.Context, db *DB) ([]Violation, error) {
	type key struct {
		table, parent string
		rowid         Number
	}
	seen := map[key]bool{}
	places, err := violationPlaces(ctx, db)
	out := make([]Violation, 0, len(places))
	for _, p := range places {
		k := key{p.Table, p.Parent, p.rowid}
		if seen[k] {
			continue // Another key of the row leads to the same table.
		}
		seen[k] = true
		if err == nil && p.rowid.Valid {
			err = identifyViolation(ctx, db, &p.Violation, p.rowid.Value)
		}
		out = append(out, p.Violation)
	}
	return out, err
}

// identifyViolation reads the key of a row and whom it belongs to.
func identifyViolation(ctx context.Context, q Querier, v *Violation, rowid int64) error {
	key := q.Schema().Key(v.Table)
	conv := q.Schema().Expr(v.Table, QuoteName(v.Table), "conversation_id", "0")
	query := "SELECT " + strings.Join(append(strings.Split(QuoteAll(key), ", "), conv), ", ") + " FROM " + QuoteName(v.Table) + " WHERE rowid = ?"
	if len(key) == 0 {
		return nil
	}
	vals := make([]any, len(key)+1)
	_, err := One(ctx, q, "read "+v.Table, query, []any{rowid}, Pointers(vals)...)
	for _, k := range vals[:len(key)] {
		v.Key = append(v.Key, CellText(k))
	}
	v.Conversation = CellInteger(vals[len(key)])
	return err
}

// LowCounters lists the tables whose counter for new ids is lower than their highest id:
// the counter and that id, by table.
func LowCounters(ctx context.Context, q Querier) (map[string][2]int64, error) {
	out := map[string][2]int64{}
	if !q.Schema().Has("sqlite_sequence", "name", "seq") {
		return out, nil
	}
	for table, key := range map[string]string{"messages": "message_id", "conversations": "conversation_id"} {
		if !q.Schema().Has(table, key) {
			continue
		}
		var seq, highest Integer
		ok, err := One(ctx, q, "read counters", "SELECT seq, (SELECT max("+key+") FROM "+table+") FROM sqlite_sequence WHERE name = ?", []any{table}, &seq, &highest)
		if err != nil {
			return nil, err
		}
		if ok && highest > seq {
			out[table] = [2]int64{int64(seq), int64(highest)}
		}
	}
	return out, nil
}
