package change

import (
	"context"
	"encoding/json"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// Batch is one write: what it is called, what it changes, and what must hold.
type Batch struct {
	Op, Title string
	Detail    json.RawMessage
	Changes   []Change
	Guards    []Guard
	// Forgets allows that messages can no longer be reached from the context.
	Forgets bool
	// Leaves are the only messages for which that is allowed where Forgets isn't set.
	Leaves []int64
	// FirstMessage is the first number of the messages that are new in the batch: they
	// get others where these are taken when it is written. 0 for none.
	FirstMessage int64
	// AtEnd puts its new messages and context items behind the last ones that their conversations have when it is written: of their
	// seqs and ordinals only the order counts. It is for messages that don't depend on what others append.
	AtEnd bool
	// Sources are what its new texts were made of: it is stale when one has changed.
	Sources []lcm.SourceText
	// Bulk records only the keys and digests of inserted rows. That is enough to undo the
	// insert and halves what an import writes, whose rows are in the session file anyway.
	Bulk bool
	// Rebuild names search tables that are rebuilt from the rows. Undo doesn't restore the
	// old ones: they have no data of their own, and follow the rows that it restores.
	Rebuild []string
	// Alone writes all of it in one transaction, and only while no other process has the file open.
	Alone bool
	// Redoes is the undone record whose changes it makes again; 0 is none.
	Redoes int64

	encoded func() ([]byte, error) // The changes as they're recorded, where they were encoded before; else nil.
}

// Outcome is the result of writing a batch.
type Outcome struct {
	Record   int64 // The id of its record.
	Appended int   // Items that a host had appended to its contexts; they stay at the end.

	StaleBatches   int64 // Pending batches that the write made stale.
	DeletedBatches int64 // Pending batches that it deleted.

	dense []int64 // Conversations without gaps in their contexts, to whose end it only appended.
}

// encode returns the changes as they're recorded.
func (b Batch) encode() ([]byte, error) {
	if b.encoded != nil {
		return b.encoded()
	}
	cs := b.Changes
	if b.Bulk {
		var err error
		if cs, err = digestInserts(cs); err != nil {
			return nil, err
		}
	}
	return json.Marshal(cs)
}

// step makes of the changes of a batch those that fit the file as it is now, and adds to out
// what comes with them. Where changed is false the batch keeps its changes.
type step func(ctx context.Context, t *tx, b Batch, out *Outcome) (cs []Change, changed bool, err error)

// comparing are the steps that fail unless the file is as the plan saw it.
var comparing = []step{
	compareGuards,
	adoptUpdatedAt,
	compareRows,
}

// adapting are the steps that come between the comparison and the write.
var adapting = []step{
	moveToEnd,
	renumberMessages,
	numberContexts,
	addCascades,
	addPending,
	addCounted,
}

// prepare replaces the changes of a batch step by step, and reports whether they are others now.
func (b *Batch) prepare(ctx context.Context, t *tx, out *Outcome, steps ...[]step) (adapted bool, err error) {
	for _, do := range slices.Concat(steps...) {
		cs, changed, err := do(ctx, t, *b, out)
		if err != nil {
			return false, err
		}
		if changed {
			b.Changes, adapted = cs, true
		}
	}
	return adapted, nil
}

// compareGuards fails if something that the plan relies on isn't as the plan saw it.
func compareGuards(ctx context.Context, t *tx, b Batch, _ *Outcome) ([]Change, bool, error) {
	return nil, false, checkGuards(ctx, t, b.Guards)
}

// compareRows fails if a row isn't as the plan saw it.
func compareRows(ctx context.Context, t *tx, b Batch, _ *Outcome) ([]Change, bool, error) {
	return nil, false, checkRows(ctx, t, b.Changes)
}

// renumberMessages gives the new messages of a batch other ids where their ids were taken
// since the plan. It reports whether it changed any.
func renumberMessages(ctx context.Context, t *tx, b Batch, _ *Outcome) (cs []Change, changed bool, err error) {
	if b.FirstMessage == 0 {
		return nil, false, nil
	}
	if t.IsHome() {
		return reserveMessages(ctx, t, b)
	}
	var next data.Integer
	if err := t.QueryRowContext(ctx, "SELECT "+lcm.Counting(t.Schema, lcm.NextMessage)).Scan(&next); err != nil || int64(next) <= b.FirstMessage {
		return nil, false, err
	}
	return b.shiftMessages(int64(next) - b.FirstMessage), true, nil
}

// shiftMessages returns the changes with other numbers of the new messages.
func (b Batch) shiftMessages(by int64) []Change {
	cs := slices.Clone(b.Changes)
	for i, c := range cs {
		if id, ok := c.After["message_id"].(int64); ok && id >= b.FirstMessage {
			cs[i].After = c.After.Pick(c.After.Columns())
			cs[i].After["message_id"] = id + by
		}
	}
	return cs
}

// newMessages returns how many messages get new numbers where theirs are taken.
func (b Batch) newMessages() int {
	last := b.FirstMessage - 1
	if b.FirstMessage == 0 {
		return 0
	}
	for _, c := range b.Changes {
		if id, ok := c.After["message_id"].(int64); ok && c.Table == "messages" && c.Before == nil {
			last = max(last, id)
		}
	}
	return int(last - b.FirstMessage + 1)
}

// reserveMessages gives the new messages of a batch numbers that nobody else gets: others may add messages to other conversations of
// the home before this transaction ends.
func reserveMessages(ctx context.Context, t *tx, b Batch) (cs []Change, changed bool, err error) {
	n := b.newMessages()
	if n == 0 {
		return nil, false, nil
	}
	if b.Bulk && !b.AtEnd { // What the next step reads comes with the numbers.
		if err := requestWithEnds(ctx, t, b, n); err != nil {
			return nil, false, err
		}
	}
	first, err := t.ReserveMessages(ctx, n)
	if err != nil || first == b.FirstMessage {
		return nil, false, err
	}
	return b.shiftMessages(first - b.FirstMessage), true, nil
}

// addCascades adds the rows that SQLite deletes with the deleted ones.
func addCascades(ctx context.Context, t *tx, b Batch, _ *Outcome) ([]Change, bool, error) {
	cs, err := withCascades(ctx, t, b.Changes)
	return cs, len(cs) != len(b.Changes), err
}

// addPending adds what the changes mean for pending batches.
func addPending(ctx context.Context, t *tx, b Batch, out *Outcome) ([]Change, bool, error) {
	cs, n, err := withPending(ctx, t, b.Changes)
	out.StaleBatches, out.DeletedBatches = n.stale, n.deleted
	return cs, n != (pendingCount{}) || len(cs) != len(b.Changes), err
}

// TouchConversation returns the change that sets a conversation's updated_at to now, as hosts
// find the conversation that changed last.
func TouchConversation(ctx context.Context, db *data.DB, conv int64) (Change, error) {
	const query = "SELECT conversation_id, updated_at FROM conversations WHERE conversation_id = ?"
	r := data.Row{}
	err := data.Each(ctx, db, "read conversation", query, []any{conv}, func(scan data.RowScanner) error {
		var id, at any
		err := scan(&id, &at)
		r["conversation_id"], r["updated_at"] = id, at
		return err
	})
	if err == nil && len(r) == 0 {
		err = db.NotFound("conversation", conv)
	}
	return Update(db, "conversations", r, data.Row{"updated_at": db.FormatNow()}), err
}

// adoptUpdatedAt takes over updated_at where a host has set it since the plan: that doesn't
// make a plan stale.
func adoptUpdatedAt(ctx context.Context, t *tx, b Batch, _ *Outcome) (cs []Change, changed bool, err error) {
	for i, c := range b.Changes {
		was, known := c.Before[updatedAtColumn]
		if c.Table != "conversations" || !known || c.After == nil {
			continue
		}
		got, err := t.Row(ctx, c.Table, c.Before.Pick(c.Key), []string{updatedAtColumn})
		if err != nil {
			return nil, false, err
		}
		if got == nil || data.SameValue(got[updatedAtColumn], was) {
			continue
		}
		if !changed {
			cs, changed = slices.Clone(b.Changes), true
		}
		c.Before = c.Before.Pick(c.Before.Columns())
		c.Before[updatedAtColumn] = got[updatedAtColumn]
		cs[i] = c
	}
	return cs, changed, nil
}
