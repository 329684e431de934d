package prune

import (
	"context"

	"lcm-tui/data"
	"lcm-tui/engine/hostactivity"
	"lcm-tui/ops/prune/removal"
	"lcm-tui/ops/prune/selector"
	"lcm-tui/ops/space"
)

// Select returns the conversations that a selector matches, the oldest first, for operations that
// remove nothing. stateFolder is that of the host; empty is unknown. A target selects nothing, since
// the file keeps its size.
func Select(ctx context.Context, db *data.DB, s selector.Selector, stateFolder string, report data.Report) ([]selector.Conversation, error) {
	if s.IsEmpty() {
		return nil, ErrNoSelector
	}
	size := &space.Measurement{}
	if s.LargerThan > 0 {
		var err error
		if size, err = space.Measure(ctx, db, func(m *space.Measurement) { report(int(m.Done), int(m.Total), "measuring") }); err != nil {
			return nil, err
		}
	}
	facts, err := removal.ReadFacts(ctx, db)
	if err != nil {
		return nil, err
	}
	chosen, _ := s.Select(conversations(ctx, facts, size, hostactivity.New(db.Now(), stateFolder)), false)
	return chosen, nil
}

// conversations returns what selectors know of all conversations. A size that isn't measured is 0.
func conversations(ctx context.Context, facts []removal.Facts, size *space.Measurement, live *hostactivity.Check) (out []selector.Conversation) {
	for _, f := range facts {
		c := selector.Conversation{
			ID: f.ID, Session: f.SessionID, Key: f.SessionKey, Agent: f.Agent(), Lane: f.Lane(), Cause: f.ArchiveCause,
			Active: f.Active, Messages: f.Messages,
		}
		for _, a := range size.Conversations[f.ID] {
			c.Bytes += a.Bytes
		}
		switch {
		case f.Newest.Valid():
			c.Newest = f.Newest.Time
		case f.CreatedAt.Valid():
			c.Newest = f.CreatedAt.Time
		}
		if c.TranscriptGone = live.TranscriptGone(hostFacts(f)); f.One {
			c.TranscriptGone = live.WhyKnown(ctx, hostFacts(f)) == ""
		}
		out = append(out, c)
	}
	return out
}
