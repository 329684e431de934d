package change

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/outcome"
	"lcm-tui/internal/parallel"
	"lcm-tui/internal/sorting"
)

// A host, and its whole gateway, waits for every lock that this program holds. So a large
// batch is written in parts, each in a transaction of its own after which hosts can continue:
// first new rows to which nothing leads yet, then the core of the batch, which puts them into
// contexts, then the deletion of rows to which nothing leads any more.

const (
	maxBytesPerTurn = 4 << 20
	partsPerTurn    = 16
	// pause is the shortest time between two parts: longer than SQLite sleeps at most before it tries
	// to get a lock again.
	pause = 120 * time.Millisecond
)

// batchParts is a batch that is written in several transactions.
type batchParts struct {
	before [][]Change
	core   Batch
	after  [][]Change
}

func (p batchParts) isSplit() bool { return len(p.before)+len(p.after) > 0 }

// split divides a large batch into parts. A batch that is small enough has none.
func (b Batch) split(most int) batchParts {
	p := batchParts{core: b}
	if b.Bulk || b.Alone || len(b.Changes) <= most && changesSize(b.Changes) <= maxBytesPerTurn {
		return p // An import is planned in batches, each of which must be whole.
	}
	made, gone := createdAndDeleted(b.Changes)
	if len(made["conversations"]) > 0 {
		return p // Its rows can't come before the conversation.
	}
	var before, after []Change
	p.core.Changes = nil
	for _, c := range b.Changes {
		switch {
		case c.Before == nil && c.belongsTo(made):
			before = append(before, c)
		case c.After == nil && c.belongsTo(gone):
			after = append(after, c)
		default:
			p.core.Changes = append(p.core.Changes, c)
		}
	}
	if len(before)+len(after) <= most/2 && changesSize(before)+changesSize(after) <= maxBytesPerTurn/2 {
		p.core.Changes = b.Changes
		return p
	}
	// The message with the highest id comes first, so that hosts continue above all of them.
	sorting.Stable(before, func(x, y *Change) int {
		return cmp.Or(cmp.Compare(inertOrder[x.Table], inertOrder[y.Table]), cmp.Compare(data.CellInteger(y.After["message_id"]), data.CellInteger(x.After["message_id"])))
	})
	sorting.Stable(after, func(x, y *Change) int { return cmp.Compare(inertOrder[y.Table], inertOrder[x.Table]) })
	rows := max(1, most/partsPerTurn)
	p.before, p.after = chunkChanges(before, rows), chunkChanges(after, rows)
	for id := range gone["messages"] {
		p.core.Leaves = append(p.core.Leaves, data.CellInteger(id))
	}
	return p
}

// inertOrder lists the tables whose rows can be written before the core or deleted after it:
// nothing that a host reads leads to these rows then. A table comes after those that its rows
// refer to.
var inertOrder = map[string]int{"conversations": 1, "messages": 2, "message_parts": 3, "summaries": 4, "summary_messages": 5, "summary_parents": 6, "context_items": 7}

// createdAndDeleted returns the ids of the messages, summaries and conversations that the
// changes insert, and of those that they delete, by table.
func createdAndDeleted(cs []Change) (made, gone map[string]map[any]bool) {
	made, gone = map[string]map[any]bool{}, map[string]map[any]bool{}
	for _, c := range cs {
		key, ids := namedBy[c.Table], made
		if c.After == nil {
			ids = gone
		}
		if key == "" || c.Before != nil && c.After != nil {
			continue
		}
		if ids[c.Table] == nil {
			ids[c.Table] = map[any]bool{}
		}
		if id := c.row()[key]; !isBlob(id) {
			ids[c.Table][id] = true
		}
	}
	return made, gone
}

// isBlob reports whether a value can't be the key of a map.
func isBlob(v any) bool { _, blob := v.([]byte); return blob }

// belongsTo reports whether the row is one of these rows or belongs to one of them.
func (c Change) belongsTo(ids map[string]map[any]bool) bool {
	r, owner := c.row(), c.Table
	switch c.Table {
	case "message_parts":
		owner = "messages"
	case "summary_messages", "summary_parents":
		owner = "summaries"
	case "context_items": // Of a conversation that goes.
		owner = "conversations"
	}
	key := namedBy[owner]
	return inertOrder[c.Table] > 0 && key != "" && !isBlob(r[key]) && ids[owner][r[key]]
}

// chunkChanges cuts changes into parts of at most so many rows and about a sixteenth of the bytes of a
// turn.
func chunkChanges(cs []Change, most int) (out [][]Change) {
	bytes, from := 0, 0
	for i, c := range cs {
		bytes += changesSize(cs[i : i+1])
		if i+1-from >= most || bytes >= maxBytesPerTurn/partsPerTurn || i == len(cs)-1 || c.Table == "messages" && cs[i+1].Table != "messages" {
			out, from, bytes = append(out, cs[from:i+1]), i+1, 0
		}
	}
	return out
}

// changesSize returns about how many bytes changes have.
func changesSize(cs []Change) (n int) {
	for _, c := range cs {
		for _, r := range []data.Row{c.Before, c.After} {
			for _, v := range r {
				switch v := v.(type) {
				case string:
					n += len(v)
				case []byte:
					n += len(v)
				}
			}
		}
	}
	return n
}

// notFinished ends the title of a record while parts of it are missing.
const notFinished = " (not finished)"

// writeParts writes a batch part by part under one record.
func writeParts(ctx context.Context, db *data.DB, b Batch, p batchParts) (out Outcome, err error) {
	if err := precheck(ctx, db, b); err != nil {
		return out, err
	}
	locks, err := homeLocks(ctx, db, b)
	if err != nil {
		return out, err
	}
	w := &partWriter{db: db, turns: newPartTurns(db, locks), batch: b, parts: p, undone: outcome.Of(ctx).Undoing()}
	for from := 0; from < len(p.before); {
		n, err := w.before(ctx, from)
		if err != nil {
			return out, w.undoWritten(ctx, err)
		}
		from += n
	}
	w.parts.core.Guards = countWritten(w.parts.core.Guards, w.parts.before)
	err = parallel.Call(func() (err error) { // A panic is an error, as in the other parts.
		out, err = writeWhole(ctx, db, w.parts.core, w)
		return err
	})
	var later *UnfinishedError
	if errors.As(err, &later) {
		return out, err
	}
	if err != nil {
		if len(p.before) == 0 {
			w.record = 0 // It was rolled back.
		}
		return Outcome{}, w.undoWritten(ctx, err)
	}
	for from := 0; from < len(w.parts.after); {
		n, err := w.after(ctx, from)
		if err != nil {
			return out, &UnfinishedError{Record: out.Record, Err: err}
		}
		from += n
	}
	outcome.Of(ctx).Record(out.Record)
	return out, nil
}

// countWritten returns the guards as they hold once these parts are written: the counts
// include the rows of the parts.
func countWritten(guards []Guard, written [][]Change) []Guard {
	guards = slices.Clone(guards)
	for i, g := range guards {
		for _, part := range written {
			for _, c := range part {
				if c.Table == g.Table && g.counts(c.After) {
					guards[i].Count++
				}
			}
		}
	}
	return guards
}

// Check fails with a StaleError where Write would because the batch no longer fits the file. It
// writes nothing and takes no lock.
func Check(ctx context.Context, db *data.DB, b Batch) error { return precheck(ctx, db, b) }

// precheck finds a stale plan before anything is written.
func precheck(ctx context.Context, db *data.DB, b Batch) error {
	return snapshot(ctx, db, "check", func(t *tx) error {
		_, err := b.prepare(ctx, t, &Outcome{}, comparing)
		return err
	})
}

// partWriter writes the parts of a batch.
type partWriter struct {
	db     *data.DB
	turns  *partTurns
	batch  Batch
	parts  batchParts
	record int64
	undone func() // Notes that what was written is undone.
}

// before writes parts that come before the core, from one on, in one turn, and returns how many.
// The first part creates the record and decides the ids of new messages.
func (w *partWriter) before(ctx context.Context, from int) (int, error) {
	n, err := w.turns.run(ctx, "write", true, len(w.parts.before)-from, func(t *tx, i int) (int, error) {
		if i += from; i == 0 {
			if err := w.first(ctx, t); err != nil {
				return 0, err
			}
		}
		cs := w.parts.before[i]
		return len(cs), w.write(ctx, t, i-len(w.parts.before), cs)
	})
	if err != nil && from == 0 {
		w.record = 0 // It was rolled back.
	}
	return n, err
}

// first creates the record, with the ids of new messages as they are free now.
func (w *partWriter) first(ctx context.Context, t *tx) error {
	b := w.batch
	other, err := b.prepare(ctx, t, &Outcome{}, []step{renumberMessages})
	if err != nil {
		return err
	}
	if other {
		w.parts = b.split(w.db.PartRows)
	}
	w.parts.core.FirstMessage = 0
	return w.begin(ctx, t)
}

// after writes parts that come after the core, from one on, in one turn, and returns how many.
func (w *partWriter) after(ctx context.Context, from int) (int, error) {
	return w.turns.run(ctx, "write", true, len(w.parts.after)-from, func(t *tx, i int) (int, error) {
		i += from
		cs := w.parts.after[i]
		if err := w.write(ctx, t, i+1, cs); err != nil || i < len(w.parts.after)-1 {
			return len(cs), err
		}
		return len(cs), setTitle(ctx, t, w.record, w.batch.Title)
	})
}

// begin creates the record, without changes of its own.
func (w *partWriter) begin(ctx context.Context, t *tx) (err error) {
	head := w.batch
	head.Changes, head.encoded, head.Title = nil, nil, head.Title+notFinished
	w.record, err = writeRecord(ctx, t, head, nil)
	return err
}

// recordCore records the core of a batch that is written in parts.
func recordCore(ctx context.Context, t *tx, b Batch, search []Change, w *partWriter) (int64, error) {
	if w.record == 0 {
		if err := w.begin(ctx, t); err != nil {
			return 0, err
		}
	}
	if err := recordPart(ctx, t, w.record, 0, b, search); err != nil {
		return 0, err
	}
	if len(w.parts.after) > 0 {
		return w.record, nil
	}
	return w.record, setTitle(ctx, t, w.record, w.batch.Title)
}

// part returns a batch of some of the changes. Nothing in a context leads to its rows, so coverage
// needn't be checked.
func (w *partWriter) part(cs []Change) Batch {
	return Batch{Op: w.batch.Op, Title: w.batch.Title, Changes: cs, Bulk: w.batch.Bulk, Forgets: true}
}

// write writes one part.
func (w *partWriter) write(ctx context.Context, t *tx, n int, cs []Change) error {
	if err := checkRows(ctx, t, cs); err != nil {
		return err
	}
	cs, err := withCascades(ctx, t, cs)
	if err != nil {
		return err
	}
	cs, some, err := withPending(ctx, t, cs)
	if err != nil {
		return err
	}
	if err := writePart(ctx, t, w.record, n, w.part(cs)); err != nil {
		return err
	}
	return notePending(ctx, t, w.record, some)
}

// undoWritten undoes the parts that were written before the core failed.
func (w *partWriter) undoWritten(ctx context.Context, cause error) error {
	if w.record == 0 {
		return cause
	}
	if err := undo(context.WithoutCancel(ctx), w.db, w.record, true); err != nil {
		return &UnfinishedError{Record: w.record, Err: errors.Join(cause, err)}
	}
	w.undone()
	return cause
}

// UnfinishedError says that a change was written in part only. Its record can be undone, unless it
// replaced secrets.
type UnfinishedError struct {
	Record int64
	Err    error
	// Irreversible says that the record can't be undone.
	Irreversible bool
	// HalfUndone says that the change was written, and its undo was interrupted.
	HalfUndone bool
}

func (e *UnfinishedError) Error() string {
	which := fmt.Sprintf("record %d is not finished: ", e.Record)
	causes := strings.ReplaceAll(e.Err.Error(), "\n", "; ") // Also why its undo failed.
	return which + strings.ReplaceAll(causes, which, "")    // An undo that failed halfway says it, too.
}

// Unwrap gives the cause.
func (e *UnfinishedError) Unwrap() error { return e.Err }

// SaysOutcome marks it as an error that says what is written.
func (e *UnfinishedError) SaysOutcome() {}

// ScreenHint says how to get rid of it.
func (e *UnfinishedError) ScreenHint() string {
	if e.Irreversible {
		return "what was replaced stays replaced, and can't be undone; look for secrets again, and replace the rest"
	}
	if e.HalfUndone {
		return withRoom(e.Err, fmt.Sprintf("some of its changes are undone and the rest is in place; undo #%d again in the history", e.Record))
	}
	return withRoom(e.Err, fmt.Sprintf("some of its changes are in place, and the rest is missing; undo #%d in the history, then plan it again", e.Record))
}

// Hint says how to get rid of it.
func (e *UnfinishedError) Hint() string {
	if e.Irreversible {
		return "what was replaced stays replaced, and can't be undone; give the same command again for the rest"
	}
	if e.HalfUndone {
		return withRoom(e.Err, fmt.Sprintf("some of its changes are undone and the rest is in place: undo it again with lcm-tui undo %d", e.Record))
	}
	return withRoom(e.Err, fmt.Sprintf("some of its changes are written and the rest is missing: undo it with lcm-tui undo %d, then plan it again", e.Record))
}

// withRoom says before what to do that a full disk needs space for it.
func withRoom(err error, next string) string {
	if errors.Is(err, data.ErrFull) {
		return "free some space first; " + next
	}
	return next
}
