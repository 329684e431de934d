package change

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"lcm-tui/data"
)

// partTable has the changes of records that were written in parts. Part numbers below 0 are
// the parts before the core, 0 is the core, and those above 0 are the parts after it.
const partTable = "lcm_tui_undo_part"

const partSchema = `CREATE TABLE IF NOT EXISTS lcm_tui_undo_part (
	record INTEGER NOT NULL,
	part INTEGER NOT NULL,
	changes TEXT NOT NULL,
	search TEXT NOT NULL,
	undone INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (record, part))`

// writePart makes the changes of a part, and records them.
func writePart(ctx context.Context, t *tx, record int64, n int, b Batch) error {
	search, err := applyChecked(ctx, t, b)
	if err != nil {
		return err
	}
	return recordPart(ctx, t, record, n, b, search)
}

func recordPart(ctx context.Context, t *tx, record int64, n int, b Batch, search []Change) error {
	if b.Bulk {
		var err error
		if search, err = digestInserts(search); err != nil {
			return err
		}
	}
	changes, err := b.encode()
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	index, err := json.Marshal(search)
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	if _, err := t.ExecContext(ctx, partSchema); err != nil {
		return fmt.Errorf("make the undo table: %w", err)
	}
	_, err = t.ExecContext(ctx, `INSERT INTO lcm_tui_undo_part (record, part, changes, search) VALUES (?, ?, ?, ?)
		ON CONFLICT (record, part) DO UPDATE SET changes = excluded.changes, search = excluded.search, undone = 0`, record, n, string(changes), string(index))
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	return nil
}

// setTitle changes the title of a record.
func setTitle(ctx context.Context, t *tx, record int64, title string) error {
	_, err := t.ExecContext(ctx, "UPDATE lcm_tui_undo SET title = ? WHERE id = ?", title, record)
	return err
}

// errInterrupted is why parts of a record are missing, as far as the file tells.
var errInterrupted = errors.New("it was interrupted, or another lcm-tui is writing it just now")

const unfinishedSQL = `SELECT id, op = '` + OpSecrets + `', substr(title, -length(?1)) <> ?1 FROM lcm_tui_undo u WHERE undone_at IS NULL AND (substr(title, -length(?1)) = ?1
	OR EXISTS (SELECT 1 FROM lcm_tui_undo_part p WHERE p.record = u.id AND p.undone = 1)) ORDER BY id DESC`

// UnfinishedChanges returns the records of which parts are missing because the write or the
// undo was interrupted.
func UnfinishedChanges(ctx context.Context, db *data.DB) ([]*UnfinishedError, error) {
	if some, err := data.HasTable(ctx, db, partTable); err != nil || !some {
		return nil, err
	}
	return data.Collect(ctx, db, "read history", unfinishedSQL, []any{notFinished}, func(scan data.RowScanner, u **UnfinishedError) error {
		*u = &UnfinishedError{Err: errInterrupted}
		return scan((*data.Integer)(&(*u).Record), &(*u).Irreversible, &(*u).HalfUndone)
	})
}

// UnfinishedIn returns the newest unfinished record that added messages or summaries to a conversation which are still
// there, or nil. They may lack their parts, and no context leads to them.
func UnfinishedIn(ctx context.Context, db *data.DB, conv int64) (*UnfinishedError, error) {
	open, err := UnfinishedChanges(ctx, db)
	for _, u := range open {
		_, cs, err := recordedChanges(ctx, db, u.Record)
		if err != nil {
			return nil, err
		}
		for _, c := range cs {
			key := map[string]string{"messages": "message_id", "summaries": "summary_id"}[c.Table]
			if key == "" || c.Before != nil {
				continue
			}
			query := "SELECT 1 FROM " + c.Table + " WHERE " + key + " = ? AND conversation_id = ?"
			var one data.Integer
			if some, err := data.One(ctx, db, "read "+c.Table, query, []any{c.After[key], conv}, &one); some || err != nil {
				return u, err
			}
		}
	}
	return nil, err
}

// UnfinishedMessages returns the messages that unfinished records have added so far. Nothing leads to
// them yet, and their parts may be missing.
func UnfinishedMessages(ctx context.Context, db *data.DB) (map[int64]bool, error) {
	open, err := UnfinishedChanges(ctx, db)
	out := map[int64]bool{}
	for _, u := range open {
		_, cs, err := recordedChanges(ctx, db, u.Record)
		if err != nil {
			return nil, err
		}
		for _, c := range cs {
			if c.Table == "messages" && c.Before == nil {
				out[data.CellInteger(c.After["message_id"])] = true
			}
		}
	}
	return out, err
}

// partsOf returns the numbers of a record's parts that aren't undone, the last part first. A
// record that was written whole has none.
func partsOf(ctx context.Context, db *data.DB, record int64) ([]int, error) {
	if some, err := data.HasTable(ctx, db, partTable); err != nil || !some {
		return nil, err
	}
	const query = "SELECT part FROM lcm_tui_undo_part WHERE record = ? AND undone = 0 ORDER BY part DESC"
	return data.Collect(ctx, db, "read record", query, []any{record}, func(scan data.RowScanner, n *int) error { return scan(n) })
}

// partChanges returns the changes of all parts of a record in order.
func partChanges(ctx context.Context, db *data.DB, record int64) (out []Change, err error) {
	if some, err := data.HasTable(ctx, db, partTable); err != nil || !some {
		return nil, err
	}
	err = data.Each(ctx, db, "read record", "SELECT changes FROM lcm_tui_undo_part WHERE record = ? ORDER BY part", []any{record}, func(scan data.RowScanner) error {
		var raw data.Text
		if err := scan(&raw); err != nil {
			return err
		}
		cs, err := readChanges(string(raw))
		out = append(out, cs...)
		return err
	})
	return out, err
}

// undoParts undoes a record part by part, the last one first, if check allows it. Where one part fails,
// the parts undone before it are written again, so that the record is as it was. Where it keeps only
// digests of them, it stays unfinished, and another undo goes on.
func undoParts(ctx context.Context, db *data.DB, record int64, numbers []int, locks []int64, check func(*tx) error) error {
	turns := newPartTurns(db, locks)
	for from := 0; from < len(numbers); {
		n, err := undoTurn(ctx, turns, record, numbers[from:], check)
		if err != nil {
			return turns.redo(ctx, record, numbers[:from], err)
		}
		from += n
	}
	return nil
}

// undoTurn undoes the first of some parts in one turn, and returns how many.
func undoTurn(ctx context.Context, turns *partTurns, record int64, numbers []int, check func(*tx) error) (int, error) {
	inert := numbers[0] < 0
	these := len(numbers)
	if first := slices.IndexFunc(numbers, func(n int) bool { return n < 0 }); !inert && first > 0 {
		these = first // The others don't need the schema's rules.
	}
	undo := func(rules bool) (int, error) {
		if numbers[0] == 0 {
			return 1, turns.undoCore(ctx, record, len(numbers) == 1, rules, check)
		}
		return turns.run(ctx, "undo", rules, these, func(t *tx, i int) (int, error) {
			if i == 0 {
				if err := check(t); err != nil {
					return 0, err
				}
			}
			r, err := readPartUndo(ctx, t, record, numbers[i])
			if err != nil {
				return 0, err
			}
			return len(r.undo), r.writePart(ctx, t, record, numbers[i], i == len(numbers)-1, rules || inert)
		})
	}
	n, err := undo(!inert)
	if !inert && errors.Is(err, data.ErrConstraint) {
		return undo(false)
	}
	return n, err
}

// redo writes parts again that were undone before the undo failed, and returns why it failed.
func (p *partTurns) redo(ctx context.Context, record int64, done []int, cause error) error {
	for _, n := range slices.Backward(done) {
		_, err := writeTurn(context.WithoutCancel(ctx), p.db, data.Transaction{Verb: "redo", Conversations: p.locks}, nil, func(t *tx) error { return redoPart(ctx, t, record, n) })
		if err != nil {
			return &UnfinishedError{Record: record, Err: errors.Join(cause, err), HalfUndone: true}
		}
	}
	return cause
}

// undoCore undoes the core of a record in a turn of its own. It reads the whole context, so it does that
// before the lock.
func (p *partTurns) undoCore(ctx context.Context, record int64, last, rules bool, check func(*tx) error) error {
	var r restoration
	how := data.Transaction{Verb: "undo", WithoutRules: !rules, Conversations: p.locks}
	locked, err := writeTurn(ctx, p.db, how, func(t *tx) (err error) {
		if err = check(t); err == nil {
			r, err = readPartUndo(ctx, t, record, 0)
		}
		return err
	}, func(t *tx) error { return r.writePart(ctx, t, record, 0, last, rules) })
	if err == nil {
		p.most = nextTurnTime(p.most, locked)
	}
	return err
}

// readPartUndo reads what the undo of a part needs. Only the core changes what can be reached, so it is watched.
func readPartUndo(ctx context.Context, t *tx, record int64, n int) (r restoration, err error) {
	cs, search, err := readPart(ctx, t, record, n, 0)
	if err != nil {
		return r, err
	}
	cs = Invert(slices.DeleteFunc(cs, func(c Change) bool { return data.IsSearchTable(c.Table) }))
	var watch *coverageWatch
	if n == 0 {
		if watch, err = startUndoWatch(ctx, t, cs); err != nil {
			return r, err
		}
	}
	r, err = readRestoration(ctx, t, cs, Invert(search))
	r.watch = watch
	return r, err
}

// writePart undoes a part; with the last part the record is marked as undone. The parts before the core
// are undone without the schema's rules, and checked here: SQLite would read whole tables for each row
// that goes.
func (r restoration) writePart(ctx context.Context, t *tx, record int64, n int, last, rules bool) error {
	err := markPart(ctx, t, record, n, 1)
	if err == nil {
		err = r.write(ctx, t, rules)
	}
	switch {
	case err != nil:
		return err
	case n == 0:
		err = saveWatch(ctx, t, r.watch, record)
	case n < 0:
		err = unnamed(ctx, t, r.undo)
	}
	if err == nil && last {
		err = markUndone(ctx, t, record)
	}
	return err
}

// redoPart writes the changes of a part again that was undone a moment ago.
func redoPart(ctx context.Context, t *tx, record int64, n int) error {
	cs, _, err := readPart(ctx, t, record, n, 1)
	if err == nil {
		err = markPart(ctx, t, record, n, 0)
	}
	if err != nil {
		return err
	}
	if slices.ContainsFunc(cs, Change.KeyOnly) {
		return fmt.Errorf("part %d can't be written again: the record keeps only the keys of its rows", n)
	}
	pending, cs := splitPending(cs)
	again, err := redonePending(ctx, t, pending)
	if err != nil {
		return err
	}
	b := Batch{Changes: slices.Concat(cs, again), Forgets: true}
	// The rows differ where undo has put a changed context back otherwise, or a host came in between.
	if _, err := b.prepare(ctx, t, &Outcome{}, []step{adoptUpdatedAt, compareRows, addPending}); err != nil {
		return err
	}
	search, err := applyChecked(ctx, t, b)
	if err != nil {
		return err
	}
	index, err := json.Marshal(search)
	if err == nil {
		_, err = t.ExecContext(ctx, "UPDATE lcm_tui_undo_part SET search = ? WHERE record = ? AND part = ?", string(index), record, n)
	}
	return err
}

// readPart returns the changes of a part that is undone (1) or not (0).
func readPart(ctx context.Context, t *tx, record int64, n, undone int) (cs, search []Change, err error) {
	var changes, index string
	const query = "SELECT changes, search FROM lcm_tui_undo_part WHERE record = ? AND part = ? AND undone = ?"
	if err := t.QueryRowContext(ctx, query, record, n, undone).Scan(&changes, &index); err != nil {
		return nil, nil, fmt.Errorf("part %d of record %d: %w", n, record, err)
	}
	if cs, err = readChanges(changes); err == nil {
		search, err = readChanges(index)
	}
	return cs, search, err
}

// markPart marks a part as undone (1) or not (0).
func markPart(ctx context.Context, t *tx, record int64, n, undone int) error {
	if _, err := t.ExecContext(ctx, "UPDATE lcm_tui_undo_part SET undone = ? WHERE record = ? AND part = ?", undone, record, n); err != nil {
		return fmt.Errorf("part %d of record %d: %w", n, record, err)
	}
	return nil
}
