package review

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// textHead is what the list says of a stored text.
type textHead struct {
	At      data.Time // When what it tells begins.
	Opening string    // Its start.
}

// textHeads is the heads of texts, by id, as far as they were read. A text that isn't stored yet has an empty one.
type textHeads map[string]textHead

// headsMsg is the heads that were read.
type headsMsg textHeads

// read returns the job that reads the heads of the summaries of a proposal that aren't known yet; nil where all are. A
// run that has just begun has no list of its texts yet.
func (h textHeads) read(pr *proposal) tea.Cmd {
	entries := pr.entries()
	begins := len(entries) == 0 && pr.generatingNow()
	if !begins && len(h.unknown(entries)) == 0 || pr.env.Jobs.Running(pr.owner, "heads") {
		return nil
	}
	db, items, ids := pr.env.DB, pr.items, h.unknown(entries)
	return pr.env.Jobs.Quiet(pr.owner, "heads", views.Read(func(ctx context.Context) (headsMsg, error) {
		for tries := 0; begins && len(ids) == 0 && tries < 100; tries++ {
			if err := ui.Sleep(ctx, listPause); err != nil {
				return nil, err
			}
			for _, item := range items.All() {
				ids = append(ids, item.ID)
			}
		}
		out := headsMsg{}
		for _, id := range ids {
			out[id] = textHead{}
		}
		found, err := lcm.SummariesOf(ctx, db, ids, data.PreviewBytes)
		for _, s := range found {
			out[s.ID] = textHead{s.EarliestAt, s.Content}
		}
		if ctx.Err() != nil {
			return nil, err
		}
		return out, nil // Of a damaged file some heads are missing; the texts are read by others.
	}))
}

// listPause is how long a run is left alone before its list of texts is looked for again.
const listPause = 50 * time.Millisecond

// unknown returns the ids of entries whose heads aren't known.
func (h textHeads) unknown(entries []textEntry) (ids []string) {
	for _, e := range entries {
		if _, known := h[e.id]; !known {
			ids = append(ids, e.id)
		}
	}
	return ids
}

// add adds what was read.
func (h textHeads) add(read headsMsg) {
	for id, head := range read {
		h[id] = head
	}
}
