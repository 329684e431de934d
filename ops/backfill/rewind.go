package backfill

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/data/transcript"
	"lcm-tui/internal/plural"
)

// dropRewound takes messages out of the context that the user of Claude Code or Gemini CLI went back
// before. They stay stored. The hosts of other files do that themselves.
func (w *planWriter) dropRewound(ctx context.Context) error {
	if w.last.step > 0 || w.target.ID == 0 || w.file.Kind != transcript.ClaudeCode && w.file.Kind != transcript.Gemini {
		return nil
	}
	rewound, err := w.file.Rewound(ctx)
	if err != nil || len(rewound) == 0 {
		return err
	}
	stored := map[int64]bool{}
	err = lcm.EachMessageHeader(ctx, w.db, w.target.ID, func(t lcm.MessageHeader) error {
		entry, _, _ := strings.Cut(t.Entry, "#")
		if t.Entry != "" && rewound[entry] {
			stored[t.ID] = true
		}
		return nil
	})
	if err != nil || len(stored) == 0 {
		return err
	}
	items, err := lcm.Context(ctx, w.db, w.target.ID)
	if err != nil {
		return err
	}
	for _, item := range items {
		if item.Type == "message" && stored[item.Message] {
			w.plan.Changes = append(w.plan.Changes, change.Change{Table: "context_items", Key: []string{"conversation_id", "ordinal"}, Before: item.Row()})
			w.dropped = append(w.dropped, item)
		}
	}
	if n := len(w.dropped); n > 0 {
		w.plan.Forgets = true
		w.plan.Note(fmt.Sprintf("the session was rewound: %s out of the context and stay stored", plural.Count(n, "message goes", "messages go")))
	}
	return nil
}

// isDropped says whether an item leaves the context.
func (w *planWriter) isDropped(item lcm.ContextItem) bool {
	return slices.ContainsFunc(w.dropped, func(d lcm.ContextItem) bool { return d.Ordinal == item.Ordinal })
}
