package checkup

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lcm-tui/data/change/losses"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
	"lcm-tui/work"
)

// Watch looks for what hosts did to contexts in the ten minutes after writes of this program: messages that can't be
// reached any more, and summaries that stand beside their own messages. It notes each with the plan of a repair, and
// what is over; fresh are those that weren't known.
func (c *Checker) Watch(ctx context.Context) (fresh []work.Finding, err error) {
	known, err := c.Notes.Checks().Findings(ctx)
	if err != nil {
		return nil, err
	}
	since := c.DB.Now().Add(-2 * losses.Watch)
	for _, f := range known {
		if at, err := time.Parse(time.RFC3339, f.FoundAt); err == nil && at.Add(-2*losses.Watch).Before(since) {
			since = at.Add(-2 * losses.Watch)
		}
	}
	found, err := find(ctx, c, since)
	if err != nil || len(found)+len(known) == 0 {
		return nil, err
	}
	if fresh, err = c.Notes.Checks().NoteFindings(ctx, found); err != nil {
		return nil, err
	}
	for i := range fresh {
		f := &fresh[i]
		fault := integrity.CompactionLostMessages
		if f.Kind == work.Doubled {
			fault = integrity.SummaryDoubled
		}
		op := &repair.Op{Conversation: f.Conversation, Faults: []integrity.FaultID{fault}, FilesDir: c.FilesDir, Limits: c.Limits}
		if f.Plan, err = c.plan(ctx, op, fmt.Sprintf("record-%d-%s", f.Record, f.Kind)); err != nil {
			if errors.Is(err, ops.ErrNothing) {
				continue // Another repair came first.
			}
			return fresh, err
		}
		if err := c.Notes.Checks().NotePlan(ctx, *f); err != nil {
			return fresh, err
		}
	}
	return fresh, nil
}

// find returns what there is since a time: of each kind one finding for a write and a conversation.
func find(ctx context.Context, c *Checker, since time.Time) (out []work.Finding, err error) {
	lost, err := losses.Find(ctx, c.DB, since)
	if err != nil {
		return nil, err
	}
	add := func(f work.Finding) {
		for i := range out {
			if o := &out[i]; o.Record == f.Record && o.Conversation == f.Conversation && o.Kind == f.Kind {
				o.Messages += f.Messages
				return
			}
		}
		out = append(out, f)
	}
	for _, l := range lost {
		add(work.Finding{Record: l.Record, Conversation: l.Conversation, Kind: work.Lost, Messages: len(l.Messages), What: l.Error()})
	}
	doubles, err := losses.FindDoubles(ctx, c.DB, since)
	for _, d := range doubles {
		add(work.Finding{Record: d.Record, Conversation: d.Conversation, Kind: work.Doubled, Messages: d.Messages, What: d.Error()})
	}
	return out, err
}
