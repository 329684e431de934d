package change

import (
	"bytes"
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
// given. What it reads, compares and computes is done before the lock.
func writeWhole(ctx context.Context, db *data.DB, b Batch, record *partWriter) (out Outcome, err error) {
	// Hosts wait for the transaction, so what doesn't depend on it is made beside it.
	b.encoded = sync.OnceValues(b.encode)
	go func() { _ = parallel.Call(func() error { _, err := b.encoded(); return err }) }() // Who calls it next panics too.
	again, done, err := lcm.BeginSourceCheck(ctx, db, b.Sources)
	if err != nil {
		return out, err
	}
	defer done()
	var core coreBatch
	var unseeded []searchFill
	how := data.Transaction{Verb: "write", First: fewPages}
	if how.Conversations, err = homeLocks(ctx, db, b); err != nil {
		return out, err
	}
	if b.Bulk {
		how.First = bulkPragma
	}
	err = transactPrepared(ctx, db, how, func(t *tx) (err error) {
		core, err = prepareCore(ctx, t, b)
		return err
	}, func(t *tx) error {
		defer func() { unseeded = t.unfilled }()
		if err := again(ctx, t.Tx); err != nil {
			return err
		}
		out, err = core.write(ctx, t, record)
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

// coreBatch is a batch that fits the file as it is, with what was found out about it before it is written.
type coreBatch struct {
	Batch
	out     Outcome
	watch   *coverageWatch
	was     coveredMessages
	indexed indexRows
}

// prepareCore compares a batch with the file and adapts it to what others wrote since it was planned.
func prepareCore(ctx context.Context, t *tx, b Batch) (c coreBatch, err error) {
	c.Batch = b
	adapted, err := c.prepare(ctx, t, &c.out, comparing, adapting)
	if err != nil {
		return c, err
	}
	if adapted {
		c.encoded = nil
		text, err := c.encode()
		if err != nil {
			return c, err
		}
		c.encoded = func() ([]byte, error) { return text, nil }
	}
	if c.watch, err = startWatch(ctx, t, c.Changes, c.Forgets || len(c.Leaves) > 0); err != nil {
		return c, err
	}
	if c.was, err = coverageBefore(ctx, t, c.Batch); err != nil {
		return c, err
	}
	c.indexed, err = readIndexRows(ctx, t, c.Batch)
	return c, err
}

// write writes the batch and its record.
func (c coreBatch) write(ctx context.Context, t *tx, record *partWriter) (out Outcome, err error) {
	out = c.out
	if c.Alone {
		if err := checkAlone(t); err != nil {
			return out, err
		}
	}
	search, err := applyCovered(ctx, t, c.Batch, c.was, c.indexed)
	if err != nil {
		return out, err
	}
	if err := checkDense(ctx, t, withoutDense(c.Changes, c.out.dense)); err != nil {
		return out, err
	}
	if record != nil {
		out.Record, err = recordCore(ctx, t, c.Batch, search, record)
	} else {
		out.Record, err = writeRecord(ctx, t, c.Batch, search)
	}
	if err != nil {
		return out, err
	}
	if c.Alone {
		if err := noteAlone(ctx, t, out.Record); err != nil {
			return out, err
		}
	}
	if err := notePending(ctx, t, out.Record, pendingCount{out.StaleBatches, out.DeletedBatches}); err != nil {
		return out, err
	}
	if c.watch == nil && !bytes.Contains(c.Detail, []byte(coverageKey)) {
		return out, nil // The new record has no coverage that it would lose.
	}
	return out, saveWatch(ctx, t, c.watch, out.Record)
}

// applyChecked makes the changes and brings the search tables up to date, and fails if the
// contexts are worse afterwards. Changes that only append need no check.
func applyChecked(ctx context.Context, t *tx, b Batch) (search []Change, err error) {
	was, err := coverageBefore(ctx, t, b)
	if err != nil {
		return nil, err
	}
	return applyCovered(ctx, t, b, was, nil)
}

// coverageBefore returns what a batch must leave covered.
func coverageBefore(ctx context.Context, t *tx, b Batch) (was coveredMessages, err error) {
	if b.Forgets || !slices.ContainsFunc(b.Changes, mayUnlink) || keepsReach(b.Changes) {
		return nil, nil
	}
	convs, err := affectedConversations(ctx, t, b.Changes)
	if err != nil {
		return nil, err
	}
	if was, err = readCoverage(ctx, t, convs); err != nil {
		return nil, err
	}
	for _, covered := range was {
		for _, id := range b.Leaves {
			delete(covered, id)
		}
	}
	return was, nil
}

// applyCovered works as applyChecked where it is known what is covered before.
func applyCovered(ctx context.Context, t *tx, b Batch, was coveredMessages, indexed indexRows) (search []Change, err error) {
	if err := applyChanges(ctx, t, b.Changes); err != nil {
		return nil, err
	}
	if search, err = updateSearch(ctx, t, b, indexed); err != nil {
		return nil, err
	}
	return search, checkCoverage(ctx, t, was)
}
