package change

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/hint"
)

// Redo is what it takes to make the changes of an undone record again. It is written as a
// batch like any other, under a record of its own that names the one it redoes: records
// stay in the order of the writes, an interrupted redo is an interrupted write, and undo
// needs to know nothing of it. So undo and redo alternate without end.
type Redo struct {
	Record   Record
	Changes  []Change      // Of all tables but context_items.
	Contexts []ContextRedo // In the order of the record.
	Guards   []Guard
	// Forgets and Leaves are what the record's batch was allowed to put out of reach.
	Forgets bool
	Leaves  []int64
}

// ErrNotUndone says that a record can't be redone because it isn't undone.
var ErrNotUndone = errors.New("it isn't undone")

// ErrNoUndone says that there is nothing to redo.
var ErrNoUndone = errors.New("there is nothing to redo")

// ErrNeverRedone says that the changes of a record can't be made again by its very nature.
var ErrNeverRedone = errors.New("it can't be redone")

// redoError returns ErrNeverRedone about a record.
func redoError(record int64, why, next string) error {
	return &hint.Error{Text: fmt.Sprintf("record %d can't be redone: %s", record, why), Next: next, Err: ErrNeverRedone}
}

// RedoOrderError says that a record can't be redone before another one is redone or undone
// that changes the same rows.
type RedoOrderError struct {
	Record, By int64
	Title      string // Of the other one.
	Undone     bool   // The other one is undone, and has to be redone first.
	Err        error  // What stood in the way.
}

func (e *RedoOrderError) Error() string {
	if e.Undone {
		return fmt.Sprintf("record %d can't be redone before record %d (%s), which changed the same rows first: %v", e.Record, e.By, e.Title, e.Err)
	}
	return fmt.Sprintf("record %d can't be redone because record %d (%s) changed the same rows since it was undone: %v", e.Record, e.By, e.Title, e.Err)
}

// Unwrap gives the cause.
func (e *RedoOrderError) Unwrap() error { return e.Err }

// Hint names what to do first.
func (e *RedoOrderError) Hint() string {
	if e.Undone {
		return fmt.Sprintf("redo record %d first", e.By)
	}
	return fmt.Sprintf("undo record %d first, or leave both as they are", e.By)
}

// LastUndone returns the record that was undone last and was not redone, or ErrNoUndone. A
// record that was never finished doesn't count: nobody undid what it was to be. Where the only
// one is being redone by a record that isn't finished, the error is ErrNeverRedone.
func LastUndone(records []Record) (last Record, err error) {
	err = ErrNoUndone
	for _, r := range records { // The newest first: of several at one time the oldest was undone last.
		switch {
		case r.Unfinished && r.Redoes != 0 && errors.Is(err, ErrNoUndone):
			err = halfRedone(r.Redoes, r.ID)
		case r.Undone() && r.RedoneBy == 0 && !r.CutShort() && (err != nil || !r.UndoneAt.Before(last.UndoneAt.Time)):
			last, err = r, nil
		}
	}
	return last, err
}

// halfRedone says that a record is redone in part, by another one.
func halfRedone(record, by int64) error {
	return redoError(record, fmt.Sprintf("record %d redoes it and isn't finished", by), fmt.Sprintf("undo that first: lcm-tui undo %d; then lcm-tui redo %d", by, record))
}

// CutShort reports whether parts of the record were never written.
func (r Record) CutShort() bool { return strings.HasSuffix(r.Title, notFinished) }

// ReadRedo finds what it takes to make the changes of an undone record again. Every row has to
// be as the undo left it, but for what a host notes by the way; contexts may have been
// appended to, or compacted elsewhere. It fails with ErrNotUndone or ErrNeverRedone; with a
// StaleError that names the row that changed, or with a RedoOrderError when another record
// did that. It writes nothing.
func ReadRedo(ctx context.Context, db *data.DB, id int64) (Redo, error) {
	r, cs, err := recordedChanges(ctx, db, id)
	if err == nil {
		err = r.redoable(cs)
	}
	if err != nil {
		return Redo{}, explainHalfRedone(ctx, db, r, err)
	}
	redo := Redo{Record: r}
	redo.Forgets, redo.Leaves = r.mayForget()
	err = snapshot(ctx, db, "redo", func(t *tx) error { return planRedo(ctx, t, &redo, cs) })
	return redo, redoOrder(ctx, db, r, cs, err)
}

// explainHalfRedone replaces the failure to redo a record where the record that redoes it isn't
// finished.
func explainHalfRedone(ctx context.Context, db *data.DB, r Record, failure error) error {
	if r.RedoneBy == 0 {
		return failure
	}
	open, err := UnfinishedChanges(ctx, db)
	if err == nil && slices.ContainsFunc(open, func(u *UnfinishedError) bool { return u.Record == r.RedoneBy }) {
		return halfRedone(r.ID, r.RedoneBy)
	}
	return failure
}

// redoable says why a record can't be redone, whatever the file holds.
func (r Record) redoable(cs []Change) error {
	switch {
	case r.RestoredOver != "":
		return restoredOverError(r)
	case !r.Undone():
		return fmt.Errorf("record %d: %w", r.ID, ErrNotUndone)
	case r.RedoneBy != 0:
		return redoError(r.ID, fmt.Sprintf("it was redone as record %d", r.RedoneBy), fmt.Sprintf("record %d is the one to undo and redo from then on", r.RedoneBy))
	case r.CutShort():
		return redoError(r.ID, "parts of it were never written", "plan the same change again")
	case slices.ContainsFunc(cs, Change.KeyOnly):
		return redoError(r.ID, "of the rows that it added it keeps only the keys", "import the session file again")
	}
	return nil
}

// planRedo compares the rows with what the undo left, and places what goes into contexts.
func planRedo(ctx context.Context, t *tx, r *Redo, cs []Change) error {
	var rest, search, items []Change
	pending, cs := splitPending(cs)
	for _, c := range cs {
		switch {
		case data.IsSearchTable(c.Table):
			search = append(search, c)
		case c.Table == "context_items":
			items = append(items, c)
		default:
			rest = append(rest, c)
		}
	}
	made, err := withoutIncidental(ctx, t, rest)
	if err != nil {
		return err
	}
	counts, guards, err := countChanges(ctx, t, rest)
	if err != nil {
		return err
	}
	again, err := redonePending(ctx, t, pending)
	if err != nil {
		return err
	}
	r.Changes = slices.Concat(made, counts, search, again)
	if err := checkRows(ctx, t, r.Changes); err != nil {
		return err
	}
	if err := vacant(ctx, t, r.Changes); err != nil {
		return err
	}
	if err := unused(ctx, t, cs); err != nil {
		return err
	}
	if r.Guards, err = messageGuards(ctx, t, r.Changes); err != nil {
		return err
	}
	r.Guards = append(r.Guards, guards...)
	return redoContexts(ctx, t, r, items)
}

// vacant fails if the place of a row that is to be added is taken.
func vacant(ctx context.Context, t *tx, cs []Change) error {
	for _, c := range cs {
		if c.Before != nil || len(c.Key) == 0 || data.IsSearchTable(c.Table) {
			continue
		}
		keys := [][]string{c.Key}
		if c.Table == "messages" {
			keys = append(keys, []string{"conversation_id", "seq"})
		}
		for _, key := range keys {
			got, err := t.Row(ctx, c.Table, c.After.Pick(key), c.Key)
			if err != nil {
				return err
			}
			switch {
			case got != nil && len(key) > 1 && c.Table == "messages":
				return &data.StaleError{What: "message " + data.CellText(got["message_id"]), Why: "has the seq of message " + data.CellText(c.After["message_id"]) + " now"}
			case got != nil:
				return &data.StaleError{What: data.Label(c.Table, key, c.After), Why: "exists already"}
			}
		}
	}
	return nil
}

// messageGuards returns guards of the conversations that get messages: nothing is appended to
// them until those are written.
func messageGuards(ctx context.Context, t *tx, cs []Change) (out []Guard, err error) {
	known := map[int64]bool{}
	for _, c := range cs {
		conv := data.CellInteger(c.After["conversation_id"])
		if c.Table != "messages" || c.Before != nil || known[conv] {
			continue
		}
		known[conv] = true
		g := Guard{Table: "messages", Where: data.Row{"conversation_id": conv}}
		if err := t.QueryRowContext(ctx, "SELECT count(*) FROM messages WHERE conversation_id = ?", conv).Scan(&g.Count); err != nil {
			return nil, err
		}
		out = append(out, g)
	}
	return out, nil
}

const referencesSQL = `SELECT m.name, f."from", coalesce(f."to", ''), f."table" FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f
	WHERE m.type = 'table' AND f."table" IN ('messages', 'summaries', 'conversations')`

// reference is a column that names rows of another table.
type reference struct{ table, column, to, of string }

// unused fails if a row that is to be deleted is named by one that the changes don't
// delete with it: it came since.
func unused(ctx context.Context, t *tx, cs []Change) error {
	_, gone := createdAndDeleted(cs)
	if len(gone) == 0 {
		return nil
	}
	refs, err := references(ctx, t)
	for _, r := range refs {
		if err == nil && slices.Contains(data.CoreTables, r.table) && !data.IsPendingTable(r.table) { // Rows of others are deleted with it, and recorded.
			err = unusedBy(ctx, t, r, gone[r.of], cs)
		}
	}
	return err
}

// unnamed fails if any row names one that the changes have deleted.
func unnamed(ctx context.Context, t *tx, cs []Change) error {
	_, gone := createdAndDeleted(cs)
	refs, err := references(ctx, t)
	for _, r := range refs {
		if err == nil {
			err = unusedBy(ctx, t, r, gone[r.of], nil)
		}
	}
	return err
}

// references returns the columns that name rows of messages, summaries and conversations by their ids.
func references(ctx context.Context, t *tx) (refs []reference, err error) {
	err = data.EachRow(ctx, t, referencesSQL, nil, func(scan data.RowScanner) error {
		var r reference
		err := scan(&r.table, &r.column, &r.to, &r.of)
		if r.to == "" || r.to == namedBy[r.of] {
			refs = append(refs, r)
		}
		return err
	})
	return refs, err
}

func unusedBy(ctx context.Context, t *tx, r reference, gone map[any]bool, cs []Change) error {
	if len(gone) == 0 {
		return nil
	}
	taken := map[string]int{} // How many rows that name each go with it.
	for _, c := range cs {
		if c.Table == r.table && c.Before != nil && !data.SameValue(c.Before[r.column], c.After[r.column]) {
			taken[data.CellText(c.Before[r.column])]++
		}
	}
	ids := make([]any, 0, len(gone))
	for id := range gone {
		ids = append(ids, id)
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	column := data.QuoteName(r.column)
	query := "SELECT " + column + ", count(*) FROM " + data.QuoteName(r.table) + " WHERE " + column + " IN (SELECT value FROM json_each(?)) GROUP BY 1"
	return data.EachRow(ctx, t, query, []any{string(list)}, func(scan data.RowScanner) error {
		var id data.Text
		var n int
		err := scan(&id, &n)
		if err == nil && n > taken[string(id)] {
			err = &data.StaleError{What: data.Label(r.of, []string{namedBy[r.of]}, data.Row{namedBy[r.of]: string(id)}), Why: "is named by a row of " + r.table + " that came since"}
		}
		return err
	})
}

// redoOrder makes a RedoOrderError of the failure to redo a record, if another one that
// changed the same rows has to be redone, or undone, before.
func redoOrder(ctx context.Context, db *data.DB, r Record, cs []Change, failure error) error {
	var changed *data.StaleError
	if !errors.As(failure, &changed) {
		return failure
	}
	all, err := History(ctx, db)
	if err != nil {
		return failure
	}
	touches := touching(cs)
	for _, o := range all {
		first := o.Undone() && o.ID < r.ID && o.RedoneBy == 0 && !o.UndoneAt.Before(r.UndoneAt.Time)
		since := !o.Undone() && o.AppliedAt.Add(time.Millisecond).After(r.UndoneAt.Time)
		if o.ID == r.ID || !first && !since {
			continue
		}
		if _, others, err := RecordChanges(ctx, db, o.ID); err == nil && slices.ContainsFunc(others, touches) {
			return &RedoOrderError{Record: r.ID, By: o.ID, Title: o.Title, Undone: first, Err: failure}
		}
	}
	return failure
}

// touching reports of a change whether it is about one of the rows of others, or names one
// of those.
func touching(cs []Change) func(Change) bool {
	rows, ids := map[string]bool{}, map[string]bool{}
	for _, c := range cs {
		if c.Table == "summaries" && c.IsUnchanged() {
			continue
		}
		rows[c.Label()] = true
		if key := namedBy[c.Table]; key != "" && c.Before != nil {
			ids[data.CellText(c.Before[key])] = true
		}
	}
	return func(c Change) bool { return !data.IsPendingTable(c.Table) && (rows[c.Label()] || c.names(ids)) }
}

// allowance is what a record notes of its batch beside its changes.
type allowance struct {
	Redoes  int64  `json:"redoes,omitempty"`
	Forgets bool   `json:"forgets,omitempty"`
	Leaves  string `json:"leaves,omitempty"` // As ranges of message ids.
}

// noteAllowance puts into a record what its batch redoes, and what it may put out of reach:
// a redo may do the same.
func noteAllowance(ctx context.Context, t *tx, b Batch, record int64) error {
	leaves := map[int64]bool{}
	for _, id := range b.Leaves {
		leaves[id] = true
	}
	a := allowance{Redoes: b.Redoes, Forgets: b.Forgets, Leaves: FormatRanges(leaves)}
	if a == (allowance{}) {
		return nil
	}
	note, err := json.Marshal(a)
	if err == nil {
		_, err = t.ExecContext(ctx, `UPDATE lcm_tui_undo SET detail = json_patch(CASE WHEN json_valid(detail) THEN detail ELSE '{}' END, ?) WHERE id = ?`, string(note), record)
	}
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	return nil
}

// Leaves returns the messages that the batch of the record was allowed to put out of reach, where it names them.
func (r Record) Leaves() []int64 {
	_, leaves := r.mayForget()
	return leaves
}

// mayForget returns what the batch of the record was allowed to put out of reach.
func (r Record) mayForget() (all bool, leaves []int64) {
	var a allowance
	if json.Unmarshal(r.Detail, &a) != nil {
		return false, nil
	}
	ids, err := ParseRanges(a.Leaves)
	if err != nil {
		return a.Forgets, nil
	}
	for id := range ids {
		leaves = append(leaves, id)
	}
	slices.Sort(leaves)
	return a.Forgets, leaves
}
