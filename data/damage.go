package data

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// damage is what reads of a file met that kept them from all that it holds.
type damage struct {
	mu         sync.Mutex
	warnings   []error
	incomplete map[string]bool // Core tables of which a read met damage.
	uncounted  []string        // Tables of which a count met damage.
}

// Warn keeps err, once, for Warnings: what was found isn't all that the file holds.
func (d *damage) Warn(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	same := func(o error) bool { return o.Error() == err.Error() }
	if !slices.ContainsFunc(d.warnings, same) {
		d.warnings = append(d.warnings, err)
	}
}

// Warnings returns what went wrong so far without stopping a read, in order: what is
// shown isn't all that the file holds. Each may have a Hint.
func (d *damage) Warnings() []error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.warnings)
}

// isDamaged reports whether a read has met a damaged page.
func (d *damage) isDamaged() bool {
	return slices.ContainsFunc(d.Warnings(), func(err error) bool { return errors.Is(err, ErrDamaged) })
}

// noteIncomplete remembers the tables in a query that met damage.
func (d *damage) noteIncomplete(query string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.incomplete == nil {
		d.incomplete = map[string]bool{}
	}
	for _, word := range strings.FieldsFunc(query, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) }) {
		if coreColumns[word] != "" {
			d.incomplete[word] = true
		}
	}
}

// isIncomplete reports whether a query of a table met damage.
func (d *damage) isIncomplete(table string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.incomplete[table]
}

// NoteUncounted notes a table whose rows a count met damage in.
func (d *damage) NoteUncounted(table string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !slices.Contains(d.uncounted, table) {
		d.uncounted = append(d.uncounted, table)
		slices.Sort(d.uncounted)
	}
}

// UncountedTables returns the tables whose rows couldn't be counted, in order: numbers of them in
// Stats are too low, or missing.
func (d *damage) UncountedTables() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.uncounted)
}
