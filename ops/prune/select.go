package prune

import (
	"context"

	"lcm-tui/data"
	rows "lcm-tui/data/retention"
	dataspace "lcm-tui/data/space"
	"lcm-tui/engine/liveness"
	"lcm-tui/engine/retention"
)

// Select returns the conversations that a selector matches, the oldest first, for operations that
// remove nothing. stateFolder is that of the host; empty is unknown. A target selects nothing, since
// the file keeps its size.
func Select(ctx context.Context, db *data.DB, s retention.Selector, stateFolder string, report data.Report) ([]retention.Conversation, error) {
	if s.IsEmpty() {
		return nil, ErrNoSelector
	}
	size := &dataspace.Measurement{}
	if s.LargerThan > 0 {
		var err error
		if size, err = dataspace.Measure(ctx, db, func(m *dataspace.Measurement) { report(int(m.Done), int(m.Total), "measuring") }); err != nil {
			return nil, err
		}
	}
	facts, err := rows.ReadFacts(ctx, db)
	if err != nil {
		return nil, err
	}
	chosen, _ := s.Select(conversations(facts, size, liveness.New(db.Now(), stateFolder)), false)
	return chosen, nil
}

// conversations are what selectors know of all conversations. A size that isn't measured is 0.
func conversations(facts []rows.Facts, size *dataspace.Measurement, live *liveness.Check) (out []retention.Conversation) {
	for _, f := range facts {
		c := retention.Conversation{
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
		c.TranscriptGone = live.TranscriptGone(hostFacts(f))
		out = append(out, c)
	}
	return out
}
