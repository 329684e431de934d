package change

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/internal/outcome"
)

// Undo undoes a record, a large one in several short transactions. It fails with a StaleError where a row that the
// record wrote has changed since, with a BlockedError where a later record of this program
// changed it, and with a ReplayError where the messages of an import can no longer be removed from a host's
// conversation. Items that a host has appended to the context since stay after the restored
// ones. What it did to pending batches is reverted only in part: see StaleBatches and
// DeleteBatches; where it did nothing else than make some stale, it fails with an
// OnlyStaleError.
func Undo(ctx context.Context, db *data.DB, id int64) error { return undoNoted(ctx, db, id, false) }

// ForceUndo works as Undo without a ReplayError.
func ForceUndo(ctx context.Context, db *data.DB, id int64) error { return undoNoted(ctx, db, id, true) }

// undoNoted undoes a record that the user has named.
func undoNoted(ctx context.Context, db *data.DB, id int64, force bool) error {
	err := undo(ctx, db, id, force)
	if err == nil {
		outcome.Of(ctx).Step(fmt.Sprintf("record %d is undone", id))
	}
	return err
}

func undo(ctx context.Context, db *data.DB, id int64, force bool) error {
	r, cs, err := recordedChanges(ctx, db, id)
	if err == nil {
		err = r.CheckUndo(cs)
	}
	if err != nil {
		return err
	}
	own := func(c Change) bool { return data.IsSearchTable(c.Table) } // They are in search, with their rowids.
	made := slices.DeleteFunc(cs, own)
	cs = Invert(made)
	check := func(t *tx) error { // A host may have written since the changes were read.
		if force {
			return nil
		}
		return checkImportUndo(ctx, t, r, cs)
	}
	numbers, err := partsToUndo(ctx, db, id, made, check)
	if err != nil {
		return explainBlocked(ctx, db, r, cs, err)
	}
	if len(numbers) > 0 {
		return explainBlocked(ctx, db, r, cs, undoParts(ctx, db, id, numbers, check))
	}
	undo := func(rules bool) error {
		return writeBy(ctx, db, "undo", rules, func(t *tx) error {
			if err := check(t); err != nil {
				return err
			}
			search, err := markUndone(ctx, t, id)
			if err != nil {
				return err
			}
			watch, err := startUndoWatch(ctx, t, cs)
			if err != nil {
				return err
			}
			if rules {
				err = restore(ctx, t, cs, Invert(search))
			} else {
				err = restoreDamage(ctx, t, cs, Invert(search))
			}
			if err != nil {
				return err
			}
			return saveWatch(ctx, t, watch, id)
		})
	}
	if err = undo(true); errors.Is(err, data.ErrConstraint) {
		err = undo(false) // The undo of a repair violates the schema's rules again.
	}
	return explainBlocked(ctx, db, r, cs, err)
}

// partsToUndo returns the parts of a record that aren't undone, the last one first. It cuts a large
// record that has none; a small one has none.
func partsToUndo(ctx context.Context, db *data.DB, id int64, made []Change, check func(*tx) error) ([]int, error) {
	numbers, err := partsOf(ctx, db, id)
	if err != nil || len(numbers) > 0 {
		return numbers, err
	}
	if err := cut(ctx, db, id, made, check); err != nil {
		return nil, err
	}
	return partsOf(ctx, db, id)
}

// restore makes the inverse changes.
func restore(ctx context.Context, t *tx, cs, search []Change) error {
	search = withoutGaps(search)
	pending, cs := splitPending(cs)
	cs, err := restorable(ctx, t, cs)
	if err != nil {
		return err
	}
	restored, err := restoredPending(ctx, t, pending, cs)
	if err != nil {
		return err
	}
	if cs, _, err = withPending(ctx, t, cs); err != nil {
		return err
	}
	cs = slices.Concat(cs, restored)
	if err := applyChanges(ctx, t, cs); err != nil {
		return err
	}
	if err := updateCounters(ctx, t, cs); err != nil {
		return err
	}
	return restoreFTS(ctx, t, cs, search)
}

// restorable turns the changes of an undo into changes of the rows as they are now. It fails where
// one isn't as the record left it.
func restorable(ctx context.Context, t *tx, cs []Change) ([]Change, error) {
	items, cs, err := restoreContexts(ctx, t, cs)
	if err != nil {
		return nil, err
	}
	cs, err = withoutIncidental(ctx, t, cs)
	return slices.Concat(cs, items), err
}

// occupied reports whether the place of a row that is to be inserted is taken and isn't freed
// by the same changes.
func occupied(ctx context.Context, t *tx, cs []Change) bool {
	freed := map[string]bool{}
	for _, c := range cs {
		if c.After == nil {
			freed[c.Label()] = true
		}
	}
	return slices.ContainsFunc(cs, func(c Change) bool {
		if c.Before != nil || freed[c.Label()] {
			return false
		}
		got, err := t.Row(ctx, c.Table, c.After.Pick(c.Key), c.Key)
		return err != nil || got != nil
	})
}

// restoreFTS restores the search tables, also where they were out of step. Tables that the
// record or a host has rebuilt since are brought into step with the rows.
func restoreFTS(ctx context.Context, t *tx, cs, search []Change) error {
	search, rebuilt := withoutRebuilt(search)
	if checkRows(ctx, t, search) != nil || occupied(ctx, t, search) {
		_, err := syncFTS(ctx, t, cs, t.Schema.FTS)
		return err
	}
	if _, err := index(ctx, t, search); err != nil {
		return err
	}
	_, err := syncFTS(ctx, t, cs, rebuilt)
	return err
}
