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
		if err := checkAloneUndo(ctx, t, r, made); err != nil || force {
			return err
		}
		return checkImportUndo(ctx, t, r, cs)
	}
	locks, err := homeLocks(ctx, db, Batch{Changes: cs})
	if err != nil {
		return err
	}
	numbers, err := partsToUndo(ctx, db, id, made, locks, check)
	if err != nil {
		return explainBlocked(ctx, db, r, cs, err)
	}
	if len(numbers) > 0 {
		return explainBlocked(ctx, db, r, cs, undoParts(ctx, db, id, numbers, locks, check))
	}
	undo := func(rules bool) error {
		var back restoration
		return transactPrepared(ctx, db, data.Transaction{Verb: "undo", WithoutRules: !rules, Conversations: locks}, func(t *tx) (err error) {
			if err = check(t); err == nil {
				back, err = readWholeUndo(ctx, t, id, cs)
			}
			return err
		}, func(t *tx) error {
			if err := markUndone(ctx, t, id); err != nil {
				return err
			}
			if err := back.write(ctx, t, rules); err != nil {
				return err
			}
			return saveWatch(ctx, t, back.watch, id)
		})
	}
	if err = undo(true); errors.Is(err, data.ErrConstraint) {
		err = undo(false) // The undo of a repair violates the schema's rules again.
	}
	return explainBlocked(ctx, db, r, cs, err)
}

// readWholeUndo reads what the undo of a record that has no parts needs.
func readWholeUndo(ctx context.Context, t *tx, id int64, cs []Change) (restoration, error) {
	search, err := searchOf(ctx, t, id)
	if err != nil {
		return restoration{}, err
	}
	watch, err := startUndoWatch(ctx, t, cs)
	if err != nil {
		return restoration{}, err
	}
	r, err := readRestoration(ctx, t, cs, Invert(search))
	r.watch = watch
	return r, err
}

// partsToUndo returns the parts of a record that aren't undone, the last one first. It cuts a large
// record that has none; a small one has none.
func partsToUndo(ctx context.Context, db *data.DB, id int64, made []Change, locks []int64, check func(*tx) error) ([]int, error) {
	numbers, err := partsOf(ctx, db, id)
	if err != nil || len(numbers) > 0 {
		return numbers, err
	}
	if err := cut(ctx, db, id, made, locks, check); err != nil {
		return nil, err
	}
	return partsOf(ctx, db, id)
}

// restoration is what an undo writes, as the file is now.
type restoration struct {
	undo   []Change // As the record has them, inverted.
	cs     []Change // The same for the rows as they are now, with what follows for pending batches.
	search []Change
	exact  bool           // The search tables are as the record left them.
	watch  *coverageWatch // Nil where the undo isn't watched.
}

// readRestoration compares the rows with what the record left and finds the inverse changes.
func readRestoration(ctx context.Context, t *tx, undo, search []Change) (r restoration, err error) {
	r.undo, r.search = undo, withoutGaps(search)
	pending, cs := splitPending(undo)
	if cs, err = restorable(ctx, t, cs); err != nil {
		return r, err
	}
	followed, err := followingAnchors(ctx, t, cs)
	if err != nil {
		return r, err
	}
	cs = append(cs, followed...)
	restored, err := restoredPending(ctx, t, pending, cs)
	if err != nil {
		return r, err
	}
	if cs, _, err = withPending(ctx, t, cs); err != nil {
		return r, err
	}
	r.cs = slices.Concat(cs, restored)
	rows, _ := withoutRebuilt(r.search)
	r.exact = checkRows(ctx, t, rows) == nil && !occupied(ctx, t, rows)
	return r, nil
}

// write makes the inverse changes, with the schema's rules or without.
func (r restoration) write(ctx context.Context, t *tx, rules bool) error {
	if err := applyChanges(ctx, t, r.cs); err != nil {
		return err
	}
	if err := updateCounters(ctx, t, r.cs, r.undo); err != nil {
		return err
	}
	if err := r.restoreSearch(ctx, t); err != nil || rules {
		return err
	}
	return checkDamage(ctx, t, r.undo)
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

// restoreSearch restores the search tables, also where they were out of step. Tables that the
// record or a host has rebuilt since are brought into step with the rows.
func (r restoration) restoreSearch(ctx context.Context, t *tx) error {
	if t.IsHome() {
		return indexAtHome(ctx, t, r.cs)
	}
	if !r.exact {
		_, err := syncFTS(ctx, t, r.cs, t.Schema.FTS, nil)
		return err
	}
	rows, rebuilt := withoutRebuilt(r.search)
	if _, err := index(ctx, t, rows); err != nil {
		return err
	}
	_, err := syncFTS(ctx, t, r.cs, rebuilt, nil)
	return err
}
