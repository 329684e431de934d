// Package outcome holds what a command or a job has changed so far. Whoever changes something that stays notes it at
// once, and what is said of a cancel, a lock or a failure is made from that value alone. It must know nothing of
// what is changed, and of who says it.
package outcome

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Outcome is what was changed so far. A nil Outcome takes notes and keeps none.
type Outcome struct {
	mu      sync.Mutex
	begun   bool
	backup  string
	records []int64
	rows    int // Transactions that were committed, but for those that were undone again.
	steps   []string
}

type key struct{}

// With returns a context whose users note what they change, and what they note.
func With(ctx context.Context) (context.Context, *Outcome) {
	o := &Outcome{}
	return context.WithValue(ctx, key{}, o), o
}

// Of returns the Outcome of a context, or nil.
func Of(ctx context.Context) *Outcome {
	o, _ := ctx.Value(key{}).(*Outcome)
	return o
}

// note changes an Outcome that isn't nil.
func (o *Outcome) note(change func()) {
	if o != nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		change()
	}
}

// Begin notes that a write is tried: an error before its first step says that nothing was written.
func (o *Outcome) Begin() { o.note(func() { o.begun = true }) }

// Backup notes a backup of the database that was made before a write, and stays.
func (o *Outcome) Backup(path string) { o.note(func() { o.backup = path }) }

// Rows notes that a transaction was committed.
func (o *Outcome) Rows() { o.note(func() { o.rows++ }) }

// Record notes that a record of changes is written, the whole of it.
func (o *Outcome) Record(id int64) {
	o.note(func() {
		if !slices.Contains(o.records, id) {
			o.records = append(o.records, id)
		}
	})
}

// Step notes a step that is over, such as "the database is the backup now". One that is repeated is said once.
func (o *Outcome) Step(text string) {
	o.note(func() {
		if !slices.Contains(o.steps, text) {
			o.steps = append(o.steps, text)
		}
	})
}

// Undoing returns a function that takes out the transactions that are noted from now on: they were undone again.
func (o *Outcome) Undoing() (undone func()) {
	var before int
	o.note(func() { before = o.rows })
	return func() { o.note(func() { o.rows = before }) }
}

// Records returns the records that were written, in their order.
func (o *Outcome) Records() (ids []int64) {
	o.note(func() { ids = slices.Clone(o.records) })
	return ids
}

// Tried reports whether a write was tried.
func (o *Outcome) Tried() (tried bool) {
	o.note(func() { tried = o.begun || o.rows > 0 || len(o.records) > 0 || len(o.steps) > 0 })
	return tried
}

// Changed reports whether something was changed that stays.
func (o *Outcome) Changed() (changed bool) {
	o.note(func() { changed = o.rows > 0 || len(o.records) > 0 || len(o.steps) > 0 })
	return changed
}

// Text says what was changed.
func (o *Outcome) Text() (s string) {
	s = "nothing was written"
	o.note(func() {
		parts := slices.Clone(o.steps)
		if len(o.records) > 0 {
			parts = append([]string{RecordsText(o.records)}, parts...)
		}
		switch {
		case len(parts) > 0:
			s = strings.Join(parts, "; ")
		case o.rows > 0:
			s = "a part was written"
		case o.backup != "":
			s = "nothing was changed, and the backup that was made before stays: " + o.backup
		}
	})
	return s
}

// RecordsText says that these records are written.
func RecordsText(ids []int64) string {
	if len(ids) == 1 {
		return fmt.Sprintf("record %d is written and stays", ids[0])
	}
	return fmt.Sprintf("records %d to %d are written and stay", slices.Min(ids), slices.Max(ids))
}
