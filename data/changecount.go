package data

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"modernc.org/sqlite"

	"lcm-tui/internal/lazyregexp"
)

// changeCount proves that SQLite changed no other rows in a transaction than its statements say: a
// cascade or a trigger would change rows that no record has. What a search table keeps for its rows
// isn't counted.
type changeCount struct {
	reported map[string]int64  // Rows by table, as the statements report them.
	seen     map[string]int64  // Rows by table, as SQLite reports each of them.
	targets  map[string]string // The tables of statements that were looked at.
	// waiting are results that nobody has looked at: asking for one makes a home wait for its statement.
	waiting []waitingResult
	isHome  bool
}

// waitingResult is the result of a statement that changes rows of a table.
type waitingResult struct {
	table  string
	result sql.Result
}

func newChangeCount() *changeCount {
	return &changeCount{reported: map[string]int64{}, seen: map[string]int64{}, targets: map[string]string{}}
}

// watch has a connection report each row that it changes.
func (c *changeCount) watch(conn *sql.Conn) error {
	return conn.Raw(func(driver any) error {
		hooks, ok := driver.(sqlite.HookRegisterer)
		if !ok {
			return errors.New("this SQLite driver doesn't report changes")
		}
		hooks.RegisterPreUpdateHook(func(d sqlite.SQLitePreUpdateData) {
			if d.DatabaseName == "main" {
				c.seen[d.TableName]++
			}
		})
		return nil
	})
}

// tableName is a name in a statement, in quotes or without.
const tableName = "(?:\"((?:[^\"]|\"\")+)\"|`((?:[^`]|``)+)`|(\\w+))"

// target finds the table that a statement changes rows of.
var target = lazyregexp.New(`(?is)^\s*(?:(?:INSERT|REPLACE)(?:\s+OR\s+\w+)?\s+INTO|DELETE\s+FROM|UPDATE(?:\s+OR\s+\w+)?)\s+(?:main\.)?` + tableName)

// add counts what a statement reports. A nil counter counts nothing.
func (c *changeCount) add(query string, r sql.Result) error {
	if c == nil {
		return nil
	}
	table, known := c.targets[query]
	if !known {
		if m := target.FindStringSubmatch(query); m != nil {
			table = strings.ReplaceAll(m[1], `""`, `"`) + strings.ReplaceAll(m[2], "``", "`") + m[3]
		}
		c.targets[query] = table
	}
	if table == "" {
		return nil
	}
	c.waiting = append(c.waiting, waitingResult{table, r})
	if c.isHome {
		return nil
	}
	return c.look()
}

// look asks the results that nobody has looked at.
func (c *changeCount) look() error {
	waiting := c.waiting
	c.waiting = nil
	for _, w := range waiting {
		n, err := w.result.RowsAffected()
		if err != nil {
			return err
		}
		c.reported[w.table] += n
	}
	return nil
}

// check fails where SQLite changed other rows than the statements.
func (c *changeCount) check() error {
	tables := maps.Clone(c.reported)
	maps.Copy(tables, c.seen)
	for _, table := range slices.Sorted(maps.Keys(tables)) {
		if c.seen[table] != c.reported[table] && !isUncounted(table) {
			return &InvariantError{What: fmt.Sprintf("%d rows of %s changed where the statements change %d", c.seen[table], table, c.reported[table])}
		}
	}
	return nil
}

// total returns how many rows the statements changed.
func (c *changeCount) total() (n int64, err error) {
	err = c.look()
	for _, rows := range c.reported {
		n += rows
	}
	return n, err
}

// isUncounted reports whether SQLite itself keeps a table, or it is a search table.
func isUncounted(table string) bool {
	return strings.HasPrefix(table, "sqlite_") || slices.ContainsFunc(SearchTables(), func(search string) bool {
		return table == search || slices.Contains(ShadowTables(search), table)
	})
}

// ExecContext runs a statement and counts the rows that it changes.
func (t *Tx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	r, err := t.Conn.ExecContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return r, t.count(query, r)
}

// count counts the rows that a statement changed.
func (t *Tx) count(query string, r sql.Result) error { return t.changes.add(query, r) }
