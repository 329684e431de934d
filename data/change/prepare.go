package change

import (
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

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
	renumberMessages,
	numberContexts,
	addCascades,
	addPending,
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
	var next data.Integer
	if err := t.QueryRowContext(ctx, "SELECT "+lcm.Counting(t.Schema, lcm.NextMessage)).Scan(&next); err != nil || int64(next) <= b.FirstMessage {
		return nil, false, err
	}
	by := int64(next) - b.FirstMessage
	cs = slices.Clone(b.Changes)
	for i, c := range cs {
		if id, ok := c.After["message_id"].(int64); ok && id >= b.FirstMessage {
			cs[i].After = c.After.Pick(c.After.Columns())
			cs[i].After["message_id"] = id + by
		}
	}
	return cs, true, nil
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
