package change

import (
	"context"
	"slices"
	"sync"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/outcome"
	"lcm-tui/internal/parallel"
)

// Write makes a batch of changes in one short transaction and returns the id of
// its record. It writes nothing at all, and returns a StaleError, when a row or a
// guard isn't what the plan saw; an InvariantError, when the result would be
// broken; an Error of kind ErrLocked, when others don't let it write.
func Write(ctx context.Context, db *data.DB, b Batch) (id int64, err error) {
	out, err := WriteBatch(ctx, db, b)
	return out.Record, err
}

// WriteBatch works as Write with a result. A large batch is written in several short transactions.
// Where it can't be finished, what was written of it is undone, or it returns an
// UnfinishedError.
func WriteBatch(ctx context.Context, db *data.DB, b Batch) (Outcome, error) {
	if p := b.split(db.PartRows); p.isSplit() {
		return writeParts(ctx, db, b, p)
	}
	return writeWhole(ctx, db, b, nil)
}

// writeWhole writes a batch in one transaction, as the core of a record in parts if one is
// given.
func writeWhole(ctx context.Context, db *data.DB, b Batch, record *partWriter) (out Outcome, err error) {
	// Hosts wait for the transaction, so what doesn't depend on it is made beside it.
	planned := sync.OnceValues(b.encode)
	go func() { _ = parallel.Call(func() error { _, err := planned(); return err }) }() // Who calls it next panics too.
	changes := planned
	again, done, err := lcm.BeginSourceCheck(ctx, db, b.Sources)
	if err != nil {
		return out, err
	}
	defer done()
	var unseeded []searchFill
	how := data.Transaction{Verb: "write"}
	if b.Bulk {
		how.First = bulkPragma
	}
	err = transactWith(ctx, db, how, func(t *tx) error {
		defer func() { unseeded = t.unfilled }()
		if err := again(ctx); err != nil {
			return err
		}
		out, err = writeCore(ctx, t, b, changes, record)
		return err
	})
	if err != nil {
		return Outcome{}, err
	}
	if record == nil {
		outcome.Of(ctx).Record(out.Record)
	}
	if err := parallel.Call(func() error { return fillSearchTables(ctx, db, unseeded) }); err != nil {
		return out, &UnfinishedError{Record: out.Record, Err: err}
	}
	return out, nil
}

// writeCore compares and writes a batch. changes encodes the batch for the record; it is used
// unless the batch had to be adapted to what others wrote since.
func writeCore(ctx context.Context, t *tx, b Batch, changes func() ([]byte, error), record *partWriter) (out Outcome, err error) {
	adapted, err := b.prepare(ctx, t, &out, comparing, adapting)
	if err != nil {
		return out, err
	}
	if adapted {
		changes = b.encode
	}
	watch, err := startWatch(ctx, t, b.Changes, b.Forgets || len(b.Leaves) > 0)
	if err != nil {
		return out, err
	}
	search, err := applyChecked(ctx, t, b)
	if err != nil {
		return out, err
	}
	if err := checkDense(ctx, t, b.Changes); err != nil {
		return out, err
	}
	if record != nil {
		out.Record, err = recordCore(ctx, t, b, search, record)
	} else {
		out.Record, err = writeRecord(ctx, t, b, changes, search)
	}
	if err != nil {
		return out, err
	}
	if err := notePending(ctx, t, out.Record, pendingCount{out.StaleBatches, out.DeletedBatches}); err != nil {
		return out, err
	}
	return out, saveWatch(ctx, t, watch, out.Record)
}

// applyChecked makes the changes and brings the search tables up to date, and fails if the
// contexts are worse afterwards. Changes that only append need no check.
func applyChecked(ctx context.Context, t *tx, b Batch) (search []Change, err error) {
	var convs []int64
	if !b.Forgets && slices.ContainsFunc(b.Changes, mayUnlink) {
		if convs, err = affectedConversations(ctx, t, b.Changes); err != nil {
			return nil, err
		}
	}
	was, err := readCoverage(ctx, t, convs)
	if err != nil {
		return nil, err
	}
	for _, covered := range was {
		for _, id := range b.Leaves {
			delete(covered, id)
		}
	}
	if err := applyChanges(ctx, t, b.Changes); err != nil {
		return nil, err
	}
	if search, err = updateSearch(ctx, t, b); err != nil {
		return nil, err
	}
	return search, checkCoverage(ctx, t, was)
}
