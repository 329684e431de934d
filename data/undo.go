package data

import (
	"context"
	"errors"
	"slices"
)

// Undo undoes a record, a large one in several short transactions. It fails with a StaleError where a row that the
// record wrote has changed since, with a BlockedError where a later record of this program
// changed it, and with a ReplayError where the messages of an import can no longer be removed from a host's
// conversation. Items that a host has appended to the context since stay after the restored
// ones. What it did to pending batches is reverted only in part: see StaleBatches and
// DeleteBatches; where it did nothing else than make some stale, it fails with an
// OnlyStaleError.
func (db *DB) Undo(ctx context.Context, id int64) error { return db.undo(ctx, id, false) }

// ForceUndo is Undo without a ReplayError.
func (db *DB) ForceUndo(ctx context.Context, id int64) error { return db.undo(ctx, id, true) }

func (db *DB) undo(ctx context.Context, id int64, force bool) error {
	r, cs, err := db.recordedChanges(ctx, id)
	if err == nil {
		err = r.CheckUndo(cs)
	}
	if err != nil {
		return err
	}
	own := func(c Change) bool { return isSearch(c.Table) } // They are in search, with their rowids.
	made := slices.DeleteFunc(cs, own)
	cs = Invert(made)
	check := func(t *tx) error { // A host may have written since the changes were read.
		if force {
			return nil
		}
		return t.checkImportUndo(ctx, r, cs)
	}
	numbers, err := db.partsToUndo(ctx, id, made, check)
	if err != nil {
		return db.explainBlocked(ctx, r, cs, err)
	}
	if len(numbers) > 0 {
		return db.explainBlocked(ctx, r, cs, db.undoParts(ctx, id, numbers, check))
	}
	undo := func(rules bool) error {
		return db.writeBy(ctx, "undo", rules, func(t *tx) error {
			if err := check(t); err != nil {
				return err
			}
			search, err := t.markUndone(ctx, id)
			if err != nil {
				return err
			}
			watch, err := t.startUndoWatch(ctx, cs)
			if err != nil {
				return err
			}
			if rules {
				err = t.restore(ctx, cs, Invert(search))
			} else {
				err = t.restoreDamage(ctx, cs, Invert(search))
			}
			if err != nil {
				return err
			}
			return t.saveWatch(ctx, watch, id)
		})
	}
	if err = undo(true); errors.Is(err, ErrConstraint) {
		err = undo(false) // The undo of a repair violates the schema's rules again.
	}
	return db.explainBlocked(ctx, r, cs, err)
}

// partsToUndo returns the parts of a record that aren't undone, the last one first. It cuts a large
// record that has none; a small one has none.
func (db *DB) partsToUndo(ctx context.Context, id int64, made []Change, check func(*tx) error) ([]int, error) {
	numbers, err := db.partsOf(ctx, id)
	if err != nil || len(numbers) > 0 {
		return numbers, err
	}
	if err := db.cut(ctx, id, made, check); err != nil {
		return nil, err
	}
	return db.partsOf(ctx, id)
}

// restore makes the inverse changes.
func (t *tx) restore(ctx context.Context, cs, search []Change) error {
	search = withoutGaps(search)
	pending, cs := splitPending(cs)
	cs, err := t.restorable(ctx, cs)
	if err != nil {
		return err
	}
	restored, err := t.restoredPending(ctx, pending, cs)
	if err != nil {
		return err
	}
	if cs, _, err = t.withPending(ctx, cs); err != nil {
		return err
	}
	cs = slices.Concat(cs, restored)
	if err := t.applyChanges(ctx, cs); err != nil {
		return err
	}
	if err := t.updateCounters(ctx, cs); err != nil {
		return err
	}
	return t.restoreFTS(ctx, cs, search)
}

// restorable turns the changes of an undo into changes of the rows as they are now. It fails where
// one isn't as the record left it.
func (t *tx) restorable(ctx context.Context, cs []Change) ([]Change, error) {
	items, cs, err := t.restoreContexts(ctx, cs)
	if err != nil {
		return nil, err
	}
	cs, err = t.withoutIncidental(ctx, cs)
	return slices.Concat(cs, items), err
}

// occupied reports whether the place of a row that is to be inserted is taken and isn't freed
// by the same changes.
func (t *tx) occupied(ctx context.Context, cs []Change) bool {
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
		got, err := t.Row(ctx, c.Table, c.After.pick(c.Key), c.Key)
		return err != nil || got != nil
	})
}

// restoreFTS restores the search tables, also where they were out of step. Tables that the
// record or a host has rebuilt since are brought into step with the rows.
func (t *tx) restoreFTS(ctx context.Context, cs, search []Change) error {
	search, rebuilt := withoutRebuilt(search)
	if t.checkRows(ctx, search) != nil || t.occupied(ctx, search) {
		_, err := t.syncFTS(ctx, cs, t.Schema.FTS)
		return err
	}
	if _, err := t.index(ctx, search); err != nil {
		return err
	}
	_, err := t.syncFTS(ctx, cs, rebuilt)
	return err
}
