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
// broken; a HostError, when a host is at work that it would disturb; an Error of kind
// ErrLocked, when others don't let it write.
func (db *DB) Write(ctx context.Context, b Batch) (id int64, err error) {
	out, err := db.WriteBatch(ctx, b)
	return out.Record, err
}

// WriteBatch is Write with a result. A large batch is written in several short transactions.
// Where it can't be finished, what was written of it is undone, or it returns an
// UnfinishedError.
func (db *DB) WriteBatch(ctx context.Context, b Batch) (Outcome, error) {
	if p := b.split(db.partRows); p.isSplit() {
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
	held := db.Holders(db.path)
	var unseeded []searchFill
	write := db.write
	if b.Bulk {
		write = db.writeBulk
	}
	err = write(ctx, "write", func(t *tx) error {
		defer func() { unseeded = t.unfilled }()
		if err := again(ctx); err != nil {
			return err
		}
		out, err = t.writeCore(ctx, b, changes, held, record)
		return err
	})
	if err != nil {
		return Outcome{}, err
	}
	if err := parallel.Call(func() error { return db.fillSearchTables(ctx, unseeded) }); err != nil {
		return out, &UnfinishedError{out.Record, err}
	}
	return out, nil
}

// writeCore compares and writes a batch. changes encodes the batch for the record; it is used
// unless the batch had to be adapted to what others wrote since.
func (t *tx) writeCore(ctx context.Context, b Batch, changes func() ([]byte, error), held Holders, record *partWriter) (out Outcome, err error) {
	noted, err := t.compare(ctx, &b)
	if err != nil {
		return out, err
	}
	more, appended, err := t.moveAppended(ctx, &b)
	if err != nil {
		return out, err
	}
	other, err := t.renumberMessages(ctx, &b)
	if err != nil {
		return out, err
	}
	n := len(b.Changes)
	if b.Changes, err = t.withCascades(ctx, b.Changes); err != nil {
		return out, err
	}
	if out.Appended = appended; len(more) > 0 || other || noted || len(b.Changes) != n {
		b.Changes = slices.Concat(more, b.Changes)
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
	watch, err := t.startWatch(ctx, b.Changes, held, b.Forgets || len(b.Leaves) > 0)
	if err != nil {
		return out, err
	}
	search, err := t.applyChecked(ctx, b)
	if err != nil {
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

// checkHostsAway fails unless the hosts that the batch would disturb are away: one may have
// come back since the plan.
func (t *tx) checkHostsAway(ctx context.Context, b Batch) error {
	for _, conv := range b.Away {
		p, err := t.db.presence(ctx, t, t.schema, conv)
		if err != nil {
			return err
		}
		if !p.Away() && !b.Force {
			return &HostError{Conversation: conv, Presence: p, Need: "items of its context would move, or make way for others, that the host may have chosen"}
		}
	}
	return nil
}

// applyChecked makes the changes and brings the search tables up to date, and fails if the
// contexts are worse afterwards. Changes that only append need no check.
func (t *tx) applyChecked(ctx context.Context, b Batch) (search []Change, err error) {
	coverage := !b.Forgets && slices.ContainsFunc(b.Changes, mayUnlink)
	convs, err := t.affectedConversations(ctx, b.Changes)
	if err != nil {
		return nil, err
	}
	appends, err := t.isAppendOnly(ctx, b.Changes)
	if err != nil {
		return nil, err
	}
	if appends && !coverage { // Nothing is moved, and nothing lost.
		convs = nil
	}
	was, err := t.takeState(ctx, convs, coverage)
	if err != nil {
		return nil, err
	}
	for _, covered := range was.covered {
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
	return search, t.checkState(ctx, was, coverage, b.Away)
}
