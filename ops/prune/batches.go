package prune

import (
	"context"
	"errors"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/prune/removal"
)

// BatchesOp deletes what hosts of 1.0 prepared in the background and published or gave up more than a week ago, and what
// is left prepared of archived conversations. It keeps nothing of them.
type BatchesOp struct {
	// Before is the time before which batches were finished; zero is a week ago, and so is any later one.
	Before time.Time
}

// Name implements ops.Op.
func (*BatchesOp) Name() string { return "prune" }

// ErrNoBatches says that a file has no pending batches.
var ErrNoBatches = errors.New("only files of hosts of 1.0 have pending batches")

// Plan implements ops.Op.
func (o *BatchesOp) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	if db.Kind().Generation != data.GenerationOne {
		return ops.Plan{}, ErrNoBatches
	}
	report(0, 0, "checking the file")
	if err := removal.CheckSound(ctx, db); err != nil {
		return ops.Plan{}, err
	}
	before := batchesBefore(db, o.Before)
	batches, err := removal.OldBatches(ctx, db, before)
	if err != nil {
		return ops.Plan{}, err
	}
	set := ops.Set{
		Verb: ops.BatchesVerb, Selector: "pending batches that were finished before " + before.Format(time.DateTime) + ", or are of archived conversations",
		Rows: map[string]int64{}, Writer: &batchesWriter{batches, before},
	}
	set.Conversations, err = conversationsOf(ctx, db, batches)
	if err != nil {
		return ops.Plan{}, err
	}
	active := 0
	for _, b := range batches {
		set.Rows[data.PendingBatchTable]++
		set.Rows[data.PendingNodeTable] += b.Nodes
		set.Bytes += b.Bytes
		if b.Active {
			active++
		}
	}
	p := ops.NewSet(o.Name(), "delete "+plural.Count(len(batches), "pending batch", "pending batches"), set)
	if p.Empty() {
		return p, nil
	}
	if active > 0 {
		p.Note(plural.Count(active, "batch is", "batches are") + " of archived conversations: no host looks at them again")
	}
	p.NoteFlag("the file becomes smaller by lcm-tui reclaim", "the file becomes smaller when its free space is given back")
	p.Warn("what was prepared in them is deleted for good, and this can't be undone; what was published of it stays")
	return p, nil
}

// conversationsOf returns the conversations of batches, as the plan shows them.
func conversationsOf(ctx context.Context, db *data.DB, batches []removal.Batch) (out []ops.SetConversation, err error) {
	all, err := removal.ReadFacts(ctx, db)
	for _, b := range batches {
		if n := len(out); n == 0 || out[n-1].ID != b.Conversation {
			c := ops.SetConversation{ID: b.Conversation, State: "archived", Rows: map[string]int64{}, Why: "finished more than a week ago"}
			if b.Active {
				c.Why = "left active when it was archived"
			}
			for _, f := range all {
				if f.ID != b.Conversation {
					continue
				}
				if c.Key, c.Agent, c.Lane, c.NewestMessage = f.SessionKey, f.Agent(), f.Lane(), f.Newest; f.Active {
					c.State = "active"
				}
			}
			out = append(out, c)
		}
		c := &out[len(out)-1]
		c.Rows[data.PendingBatchTable]++
		c.Rows[data.PendingNodeTable] += b.Nodes
		c.Bytes += b.Bytes
	}
	return out, err
}

// batchesBefore returns the time before which batches were finished: a week ago at the latest.
func batchesBefore(db *data.DB, before time.Time) time.Time {
	week := db.Now().Add(-removal.BatchAge)
	if before.IsZero() || before.After(week) {
		return week
	}
	return before
}

// batchesWriter deletes the batches of a plan.
type batchesWriter struct {
	batches []removal.Batch
	before  time.Time
}

// WriteSet implements ops.SetWriter.
func (w *batchesWriter) WriteSet(ctx context.Context, db *data.DB, p ops.Plan, detail map[string]any, report data.Report) (change.Outcome, error) {
	return removal.RemoveBatches(ctx, db, p.Title, w.batches, w.before, detail, report)
}
