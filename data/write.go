package data

import (
	"context"
	"slices"
	"sync"

	"lcm-tui/internal/parallel"
)

// Write makes a batch of changes in one short transaction and returns the id of
// its record. It writes nothing at all, and returns a StaleError, when a row or a
// guard isn't what the plan saw; an InvariantError, when the result would be
// broken; an Error of kind ErrLocked, when others don't let it write.
func (db *DB) Write(ctx context.Context, b Batch) (id int64, err error) {
	out, err := db.WriteBatch(ctx, b)
	return out.Record, err
}

// WriteBatch is Write with a result. A large batch is written in several short transactions.
// Where it can't be finished, what was written of it is undone, or it returns an
// UnfinishedError.
func (db *DB) WriteBatch(ctx context.Context, b Batch) (Outcome, error) {
	if p := b.split(db.PartRows); p.isSplit() {
		return db.writeParts(ctx, b, p)
	}
	return db.writeWhole(ctx, b, nil)
}

// writeWhole writes a batch in one transaction, as the core of a record in parts if one is
// given.
func (db *DB) writeWhole(ctx context.Context, b Batch, record *partWriter) (out Outcome, err error) {
	// Hosts wait for the transaction, so what doesn't depend on it is made beside it.
	planned := sync.OnceValues(b.encode)
	go func() { _ = parallel.Call(func() error { _, err := planned(); return err }) }() // Who calls it next panics too.
	changes := planned
	again, done, err := db.beginSourceCheck(ctx, b.Sources)
	if err != nil {
		return out, err
	}
	defer done()
	var unseeded []searchFill
	how := Transaction{Verb: "write"}
	if b.Bulk {
		how.First = bulkPragma
	}
	err = db.transactWith(ctx, how, func(t *tx) error {
		defer func() { unseeded = t.unfilled }()
		if err := again(ctx); err != nil {
			return err
		}
		out, err = t.writeCore(ctx, b, changes, record)
		return err
	})
	if err != nil {
		return Outcome{}, err
	}
	if err := parallel.Call(func() error { return db.fillSearchTables(ctx, unseeded) }); err != nil {
		return out, &UnfinishedError{Record: out.Record, Err: err}
	}
	return out, nil
}

// writeCore compares and writes a batch. changes encodes the batch for the record; it is used
// unless the batch had to be adapted to what others wrote since.
func (t *tx) writeCore(ctx context.Context, b Batch, changes func() ([]byte, error), record *partWriter) (out Outcome, err error) {
	noted, err := t.compare(ctx, &b)
	if err != nil {
		return out, err
	}
	other, err := t.renumberMessages(ctx, &b)
	if err != nil {
		return out, err
	}
	appended, moved, err := t.numberContexts(ctx, &b)
	if err != nil {
		return out, err
	}
	n := len(b.Changes)
	if b.Changes, err = t.withCascades(ctx, b.Changes); err != nil {
		return out, err
	}
	if out.Appended = appended; moved || other || noted || len(b.Changes) != n {
		changes = b.encode
	}
	pending, some, err := t.withPending(ctx, b.Changes)
	if err != nil {
		return out, err
	}
	if out.StaleBatches, out.DeletedBatches = some.stale, some.deleted; some != (pendingCount{}) || len(pending) != len(b.Changes) {
		b.Changes = pending
		changes = b.encode
	}
	watch, err := t.startWatch(ctx, b.Changes, b.Forgets || len(b.Leaves) > 0)
	if err != nil {
		return out, err
	}
	search, err := t.applyChecked(ctx, b)
	if err != nil {
		return out, err
	}
	if err := t.checkDense(ctx, b.Changes); err != nil {
		return out, err
	}
	if record != nil {
		out.Record, err = t.recordCore(ctx, b, search, record)
	} else {
		out.Record, err = t.record(ctx, b, changes, search)
	}
	if err != nil {
		return out, err
	}
	if err := t.notePending(ctx, out.Record, some); err != nil {
		return out, err
	}
	return out, t.saveWatch(ctx, watch, out.Record)
}

// applyChecked makes the changes and brings the search tables up to date, and fails if the
// contexts are worse afterwards. Changes that only append need no check.
func (t *tx) applyChecked(ctx context.Context, b Batch) (search []Change, err error) {
	var convs []int64
	if !b.Forgets && slices.ContainsFunc(b.Changes, mayUnlink) {
		if convs, err = t.affectedConversations(ctx, b.Changes); err != nil {
			return nil, err
		}
	}
	was, err := t.readCoverage(ctx, convs)
	if err != nil {
		return nil, err
	}
	for _, covered := range was {
		for _, id := range b.Leaves {
			delete(covered, id)
		}
	}
	if err := t.applyChanges(ctx, b.Changes); err != nil {
		return nil, err
	}
	if search, err = t.search(ctx, b); err != nil {
		return nil, err
	}
	return search, t.checkCoverage(ctx, was)
}
