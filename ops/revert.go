package ops

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/outcome"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/prune/removal"
	"lcm-tui/ops/trash"
)

// Undo undoes a record. It refuses, with a *data.StaleError, when a
// row that was written has changed since, and with a *data.BlockedError, when a later record
// did that. What a prune removed is restored from its trash; it refuses with trash.ErrMissing when that is gone.
func Undo(ctx context.Context, db *data.DB, id int64) error {
	return undo(ctx, db, id, func() error { return change.Undo(ctx, db, id) })
}

// ForceUndo works as Undo of an import although its host may store the messages again.
func ForceUndo(ctx context.Context, db *data.DB, id int64) error {
	return undo(ctx, db, id, func() error { return change.ForceUndo(ctx, db, id) })
}

// undo undoes a record by what it is: rows by their images.
func undo(ctx context.Context, db *data.DB, id int64, rows func() error) error {
	r, changes, err := change.RecordChanges(ctx, db, id)
	if err != nil {
		return err
	}
	restore, ok, err := trash.RestoreOf(ctx, db, r)
	switch {
	case r.Undone():
		return r.CheckUndo(changes)
	case err != nil:
		return err
	case ok:
		return restoreAll(ctx, db, restore)
	case r.Op == trash.RestoreOp:
		return fmt.Errorf("record %d: %w", id, ErrRestored)
	case SetVerb(r) == HistoryVerb:
		return fmt.Errorf("record %d: %w", id, ErrHistory)
	case SetVerb(r) == BatchesVerb:
		return fmt.Errorf("record %d: %w", id, ErrBatches)
	case SetVerb(r) == CopiesVerb:
		return removal.UndoCopies(ctx, db, id, nil)
	}
	outcome.Of(ctx).Begin()
	return rows()
}

// HistoryVerb is the verb of a prune that deletes records.
const HistoryVerb = "history"

// ErrHistory says that deleted records don't come back.
var ErrHistory = errors.New("it can't be undone: it deleted old records and trash, and keeps nothing of them")

// BatchesVerb is the verb of a prune that deletes pending batches.
const BatchesVerb = "batches"

// KeepsNothing reports whether a set with a verb has no undo, since its record keeps nothing of what it deleted.
func KeepsNothing(verb string) bool { return verb == HistoryVerb || verb == BatchesVerb }

// ErrBatches says that deleted batches don't come back.
var ErrBatches = errors.New("it can't be undone: it deleted pending batches that were finished, and keeps nothing of them")

// ErrRestored says that a restore from the trash can't be undone.
var ErrRestored = errors.New("what was restored from the trash can only be removed by pruning it again")

// restoreAll puts back all that is in a file of the trash. What can't be put back is a warning.
func restoreAll(ctx context.Context, db *data.DB, r trash.Restore) error {
	out, err := r.Apply(ctx, db, func(int, int, string) {})
	for _, note := range RestoreWarnings(out) {
		db.Warn(errors.New(note))
	}
	return err
}

// RestoreWarnings say what a restore from the trash couldn't put back as it was.
func RestoreWarnings(r trash.RestoreResult) (notes []string) {
	if n := len(r.Archived); n > 0 {
		notes = append(notes, fmt.Sprintf("%s came back archived, since others have their keys or sessions by now: %v", plural.Count(n, "conversation", "conversations"), r.Archived))
	}
	if r.Changed > 0 {
		notes = append(notes, plural.Count(int(r.Changed), "message was", "messages were")+" changed since and stayed as they are")
	}
	if r.Lost > 0 {
		notes = append(notes, plural.Count(int(r.Lost), "text or link was", "texts or links were")+" left in the trash, since the row that it belongs to is gone")
	}
	if n := len(r.Unmoved); n > 0 {
		notes = append(notes, fmt.Sprintf("%s couldn't be moved back out of the trash; the first is %s", plural.Count(n, "large file", "large files"), r.Unmoved[0]))
	}
	return notes
}

// RestoreNotes say what a restore from the trash would put back.
func RestoreNotes(p trash.Preview) (notes []string) {
	missing, taken := 0, 0
	for _, c := range p.Conversations {
		if c.Missing {
			missing++
		}
		if c.Taken {
			taken++
		}
	}
	for _, n := range []struct {
		count int
		text  string
	}{
		{missing, plural.Count(missing, "conversation comes back", "conversations come back")},
		{int(p.Messages), plural.Count(int(p.Messages), "message comes back", "messages come back")},
		{int(p.Texts), plural.Count(int(p.Texts), "text replaces its stub", "texts replace their stubs")},
		{p.Files, plural.Count(p.Files, "large file moves back", "large files move back")},
		{taken, plural.Count(taken, "conversation comes back archived, since another has its key or session", "conversations come back archived, since others have their keys or sessions")},
		{int(p.Changed), plural.Count(int(p.Changed), "message was changed since and stays as it is", "messages were changed since and stay as they are")},
		{int(p.Lost), plural.Count(int(p.Lost), "text has no place any more, since its message is gone", "texts have no place any more, since their messages are gone")},
	} {
		if n.count > 0 {
			notes = append(notes, n.text)
		}
	}
	if len(notes) == 0 {
		notes = append(notes, "all of it is there already")
	}
	return notes
}

// CopiesVerb is the verb of a set that is undone by rule: the copies of texts are made again from
// the texts.
const CopiesVerb = "copies"

// CheckUndoCopies fails where Undo of such a set would: where texts are in the trash by now.
func CheckUndoCopies(ctx context.Context, db *data.DB, id int64) error {
	return removal.CheckUndoCopies(ctx, db, id)
}

// SetVerb returns the verb of the set that a record wrote; empty where it wrote none.
func SetVerb(r change.Record) string {
	var detail struct {
		Set struct {
			Verb string `json:"verb"`
		} `json:"set"`
	}
	if json.Unmarshal(r.Detail, &detail) != nil {
		return "" // Of a record that is damaged.
	}
	return detail.Set.Verb
}
