package change

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/internal/sorting"
)

// A record that was written whole, such as a batch of an import, can have more rows than one short
// transaction can delete. Before its undo it is cut into parts, as if it had been written in them: the core
// comes first, which removes its rows from contexts, and then the deletion of the rows to which
// nothing leads any more. The core itself is one transaction.

// recordCut is a record that was cut into parts.
type recordCut struct {
	core  []Change
	inert [][]Change     // What hosts don't see once the core is undone: the first part is undone last.
	made  map[int64]bool // The messages of these parts.
	bulk  bool           // The record keeps only digests of inserted rows.
}

// cut cuts a record into parts where its undo takes more than one short transaction. It fails where
// the undo would, before anything is written; check is part of the undo.
func cut(ctx context.Context, db *data.DB, record int64, cs []Change, locks []int64, check func(*tx) error) error {
	if len(cs) <= db.PartRows/2 {
		return nil
	}
	var c *recordCut
	err := snapshot(ctx, db, "undo", func(t *tx) (err error) {
		if err := check(t); err != nil {
			return err
		}
		c, err = planCut(ctx, t, cs)
		return err
	})
	if err != nil || c == nil {
		return err
	}
	how := data.Transaction{Verb: "undo", Conversations: locks}
	return transactWith(ctx, db, how, func(t *tx) error { return readRecordCut(ctx, t, record, c) })
}

// cut checks the undo of these changes and divides them. It returns nil where few of them can be
// undone apart from the others, or where only the whole undo can tell whether it is allowed.
func planCut(ctx context.Context, t *tx, cs []Change) (*recordCut, error) {
	if err := checkRestore(ctx, t, Invert(cs)); err != nil {
		return nil, err
	}
	whole, err := wholeInserts(ctx, t, cs)
	if err != nil {
		return nil, err
	}
	var named *data.StaleError
	if err := unused(ctx, t, Invert(whole)); errors.As(err, &named) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	made, _ := createdAndDeleted(whole)
	c := &recordCut{made: map[int64]bool{}, bulk: slices.ContainsFunc(cs, Change.KeyOnly)}
	var inert []Change
	for i, w := range whole {
		if w.Before != nil || w.Table == "context_items" || !w.belongsTo(made) {
			c.core = append(c.core, cs[i])
			continue
		}
		inert = append(inert, cs[i])
		if w.Table == "messages" {
			c.made[data.CellInteger(w.After["message_id"])] = true
		}
	}
	if len(inert) <= t.db.PartRows/2 {
		return nil, nil
	}
	// The last messages go first: what stays of a conversation is its beginning, as it once was.
	sorting.Stable(inert, func(x, y *Change) int {
		return cmp.Or(cmp.Compare(inertOrder[x.Table], inertOrder[y.Table]), cmp.Compare(data.CellInteger(x.After["message_id"]), data.CellInteger(y.After["message_id"])))
	})
	c.inert = chunkChanges(inert, chunkRows(t.db))
	return c, nil
}

// checkRestore fails where restore would because a row has changed.
func checkRestore(ctx context.Context, t *tx, undo []Change) error {
	_, undo = splitPending(undo)
	_, err := restorable(ctx, t, undo)
	return err
}

// wholeInserts returns the changes with the rows of the file in the place of digests.
func wholeInserts(ctx context.Context, t *tx, cs []Change) ([]Change, error) {
	out := slices.Clone(cs)
	for i, c := range cs {
		if !isDigest(c.After) {
			continue
		}
		got, err := t.Row(ctx, c.Table, c.After.Pick(c.Key), allColumns(t, c.Table))
		if err != nil {
			return nil, err
		}
		if got != nil { // A context item may have another ordinal by now.
			out[i].After = got
		}
	}
	return out, nil
}

// readRecordCut replaces the changes of a record that is neither undone nor cut by parts.
func readRecordCut(ctx context.Context, t *tx, record int64, c *recordCut) error {
	search, whole, err := takeChanges(ctx, t, record)
	if err != nil || !whole {
		return err
	}
	search = slices.DeleteFunc(search, func(s Change) bool {
		return s.Table == data.MessageIndex && s.After != nil && c.made[data.CellInteger(s.After["rowid"])]
	})
	if err := recordPart(ctx, t, record, 0, Batch{Changes: c.core, Bulk: c.bulk}, search); err != nil {
		return err
	}
	var follow []Change // The search tables follow the rows of the other parts.
	for _, name := range t.Schema.FTS {
		follow = append(follow, Change{Table: name, Key: []string{wholeTable}})
	}
	for i, cs := range c.inert {
		if err := recordPart(ctx, t, record, i-len(c.inert), Batch{Changes: cs, Bulk: c.bulk}, follow); err != nil {
			return err
		}
	}
	return nil
}

// takeChanges empties a record that has its changes itself, and returns those of search tables.
// whole is false for another record.
func takeChanges(ctx context.Context, t *tx, record int64) (search []Change, whole bool, err error) {
	err = data.EachRow(ctx, t, "SELECT search FROM lcm_tui_undo WHERE id = ? AND undone_at IS NULL AND changes <> '[]'", []any{record}, func(scan data.RowScanner) error {
		var raw data.Text
		if err := scan(&raw); err != nil {
			return err
		}
		whole = true
		search, err = readChanges(string(raw))
		return err
	})
	if err == nil && whole {
		_, err = t.ExecContext(ctx, "UPDATE lcm_tui_undo SET changes = '[]', search = '[]' WHERE id = ?", record)
	}
	if err != nil {
		return nil, false, fmt.Errorf("cut record %d: %w", record, err)
	}
	return search, whole, nil
}
