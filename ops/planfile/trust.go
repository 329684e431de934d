package planfile

import (
	"errors"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/change"
)

// check fails where what stands in the file contradicts itself.
func (d *document) check() error {
	switch {
	case d.Op == "" || d.Title == "":
		return errors.New("it names no operation")
	case d.Set != nil && len(d.Changes)+len(d.Guards)+len(d.Files) > 0:
		return errors.New("it has rows and a set of rows")
	case d.Set != nil && !hasRequest(d.Request):
		return errors.New("its set of rows has no request")
	case d.Set == nil && len(d.Changes) == 0 && len(d.Rebuild) == 0:
		return errors.New("it changes nothing")
	case d.First < 0:
		return errors.New("its first message has no number")
	}
	for _, c := range d.Changes {
		if err := checkShape(c); err != nil {
			return err
		}
	}
	return nil
}

// checkShape fails unless a change names one row.
func checkShape(c change.Change) error {
	if len(c.Key) == 0 || c.Before == nil && c.After == nil {
		return fmt.Errorf("a change of %.60q names no row", c.Table)
	}
	for _, row := range []data.Row{c.Before, c.After} {
		for _, column := range c.Key {
			if _, ok := row[column]; row != nil && !ok {
				return fmt.Errorf("a change of %.60q lacks the column %.60q of its key", c.Table, column)
			}
		}
	}
	return nil
}

// checkAgainst fails where the plan is about tables or columns that aren't rows of a host in this
// database. Rows of search tables and counters are allowed only where the rows are planned again.
func (d *document) checkAgainst(s *data.Schema, plannedAgain bool) error {
	for _, c := range d.Changes {
		if plannedAgain && isDerived(c.Table) {
			continue
		}
		if err := checkTable(s, c.Table, c.Before, c.After); err != nil {
			return err
		}
		key := slices.Sorted(slices.Values(c.Key))
		if want := slices.Sorted(slices.Values(s.Key(c.Table))); len(want) > 0 && !slices.Equal(key, want) {
			return fmt.Errorf("a change of %s names its row by %v and not by its key %v", c.Table, c.Key, want)
		}
	}
	for _, g := range d.Guards {
		if err := checkTable(s, g.Table, g.Where, g.UpTo); err != nil {
			return err
		}
	}
	for _, table := range d.Rebuild {
		if !slices.Contains(data.SearchTables(), table) {
			return fmt.Errorf("the table %.60q is no search table that could be rebuilt", table)
		}
	}
	return d.checkTranscripts()
}

// isDerived reports whether what stands in a table follows from rows of the host, or from SQLite's
// own work: only an operation knows what belongs there.
func isDerived(table string) bool {
	return table == "sqlite_sequence" || slices.Contains(data.SearchTables(), table)
}

// checkTable fails unless a table has rows of a host, and these columns.
func checkTable(s *data.Schema, table string, rows ...data.Row) error {
	if !data.IsFormatTable(table) {
		return fmt.Errorf("the rows of a table %.60q aren't written from a file", table)
	}
	for _, row := range rows {
		for _, column := range row.Columns() {
			if !s.Has(table, column) {
				return fmt.Errorf("the table %s has no column %.60q in this database", table, column)
			}
		}
	}
	return nil
}

// checkTranscripts refuses a plan that deletes where a host noted the transcript of a conversation
// that stays: the host would never store anything of it again.
func (d *document) checkTranscripts() error {
	gone := map[int64]bool{}
	for _, c := range d.Changes {
		if c.Table == "conversations" && c.After == nil {
			gone[data.CellInteger(c.Before["conversation_id"])] = true
		}
	}
	for _, c := range d.Changes {
		if id := data.CellInteger(c.Before["conversation_id"]); c.Table == "conversation_bootstrap_state" && c.After == nil && !gone[id] {
			return fmt.Errorf("it deletes where the host noted the transcript of conversation %d, which stays", id)
		}
	}
	return nil
}
