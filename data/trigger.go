package data

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"lcm-tui/internal/hint"
)

// Trigger is a trigger of a file on a table of the format or of this program.
type Trigger struct {
	Name  string `json:"name"`
	Table string `json:"table"`
}

// ErrTriggers says that a file has triggers on tables that this program writes. No host makes any.
var ErrTriggers = errors.New("triggers of another program are on tables of the file")

// TriggerError returns the error of a file that isn't written because of triggers: they would change rows
// that no record has, and that no undo brings back.
func TriggerError(path string, triggers []Trigger) error {
	var all []string
	for _, t := range triggers {
		all = append(all, t.Name+" on "+t.Table)
	}
	names := strings.Join(all, ", ")
	return &hint.Error{
		Text: path + ": " + ErrTriggers.Error() + ": " + names,
		Next: "no host makes triggers, and they would change rows that no record has: " + names + ". Remove them with the program that made them, or in SQL with DROP TRIGGER " + QuoteName(triggers[0].Name),
		Err:  ErrTriggers,
	}
}

// checkTriggers fails where the file has triggers on tables that this program writes.
func (s *Schema) checkTriggers(path string) error {
	if len(s.Triggers) == 0 {
		return nil
	}
	return TriggerError(path, s.Triggers)
}

// probeTriggers reads the triggers on tables that this program writes.
func (s *Schema) probeTriggers(ctx context.Context, q Connection) error {
	return EachRow(ctx, q, "SELECT name, tbl_name FROM main.sqlite_master WHERE type = 'trigger' ORDER BY name", nil, func(scan RowScanner) error {
		var t Trigger
		err := scan((*Text)(&t.Name), (*Text)(&t.Table))
		if isWritten(t.Table) {
			s.Triggers = append(s.Triggers, t)
		}
		return err
	})
}

// isWritten reports whether a table is one of the format, of its search tables, or of this program.
func isWritten(table string) bool {
	table = strings.ToLower(table)
	return strings.HasPrefix(table, "lcm_tui_") || slices.Contains(formatTables(), table)
}

// formatTables are the names of the tables of all versions of the format, with those in which SQLite
// keeps what their search tables hold.
var formatTables = sync.OnceValue(func() (names []string) {
	for _, o := range NewestSchema() {
		names = append(names, o.Name)
	}
	for table := range generationOneColumns {
		names = append(names, table)
	}
	for _, search := range SearchTables() {
		names = append(names, ShadowTables(search)...)
	}
	return append(names, CoreTables...)
})
