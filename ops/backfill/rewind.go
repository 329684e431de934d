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

// dropRewound takes messages out of the context that the user of a coding agent went back before. They stay stored. Other
// hosts do that themselves. Where the ids of stored messages are those of other entries by now, all stay.
func (w *planWriter) dropRewound(ctx context.Context) error {
	if w.last.step > 0 || w.target.ID == 0 || w.file.Kind == transcript.OpenClaw || w.reading.renumbered {
		return nil
	}
	stored, err := w.storedRewound(ctx)
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
			w.plan.Leaves = append(w.plan.Leaves, item.Message)
		}
	}
	n := len(w.dropped)
	if n == 0 {
		return nil
	}
	w.plan.Note(fmt.Sprintf("the session was rewound: %s out of the context and stay stored", plural.Count(n, "message goes", "messages go")))
	if w.file.Kind == transcript.Codex { // It never goes on behind what was dropped.
		return nil
	}
	return w.putBack(ctx, items)
}

// storedRewound returns the stored messages that the user went back before, in this file or, of Codex, in those before it.
func (w *planWriter) storedRewound(ctx context.Context) (map[int64]bool, error) {
	rewound, err := w.file.Rewound(ctx)
	if err != nil {
		return nil, err
	}
	var leftBehind func(entry string) bool
	if !w.tail.resumed || w.file.IsOfAnotherPart(w.op.From.Entry) { // Else they left the context with the first message of the file.
		if leftBehind, err = w.file.LeftBehind(ctx); err != nil {
			return nil, err
		}
	}
	if len(rewound) == 0 && leftBehind == nil {
		return nil, nil
	}
	stored := map[int64]bool{}
	return stored, lcm.EachMessageHeader(ctx, w.db, w.target.ID, func(t lcm.MessageHeader) error {
		entry, _, _ := strings.Cut(t.Entry, "#")
		if t.Entry != "" && (rewound[entry] || leftBehind != nil && leftBehind(entry)) {
			stored[t.ID] = true
		}
		return nil
	})
}

// putBack adds to the context what left it when the user went back before, where the session goes on behind that now: what
// comes after the last item that stays, is on the way to the last entry, and is in no summary.
func (w *planWriter) putBack(ctx context.Context, items []lcm.ContextItem) error {
	first := slices.IndexFunc(items, w.isDropped)
	reset, _, err := lcm.ResetAt(ctx, w.db, w.conv)
	if err != nil || reset.Raw != "" || first < 0 { // What the user took out himself looks the same.
		return err
	}
	newest, err := lcm.NewestSeqs(ctx, w.db, w.conv)
	if err != nil {
		return err
	}
	last := int64(-1) // The user went back to before the first message.
	if first > 0 {
		last = items[first-1].Seq
		if items[first-1].IsSummary() {
			last = newest[items[first-1].Summary]
		}
	}
	uncovered, err := lcm.UncoveredSeqs(ctx, w.db, w.conv)
	if err != nil {
		return err
	}
	way, err := w.file.OnWay(ctx)
	if err != nil {
		return err
	}
	before := len(w.added)
	err = lcm.EachMessageHeader(ctx, w.db, w.conv, func(t lcm.MessageHeader) error {
		entry := t.Entry
		if w.file.Kind == transcript.ClaudeCode {
			entry, _, _ = strings.Cut(entry, "#")
		}
		if _, is := slices.BinarySearch(uncovered, t.Seq); is && t.Seq > last && t.Entry != "" && way[entry] {
			w.addStored(t)
		}
		return nil
	})
	if n := len(w.added) - before; n > 0 {
		w.plan.Note(fmt.Sprintf("the session goes on where it was left before: %s into the context", plural.Count(n, "message comes back", "messages come back")))
	}
	return err
}

// addStored adds the place in the context of a message that is stored.
func (w *planWriter) addStored(t lcm.MessageHeader) {
	w.placeInContext(lcm.ContextItem{
		Conversation: w.conv, Type: "message", Message: t.ID, Role: t.Role, Seq: t.Seq, Tokens: t.Tokens.Value, At: t.CreatedAt,
	})
}

// isDropped says whether an item leaves the context.
func (w *planWriter) isDropped(item lcm.ContextItem) bool {
	return slices.ContainsFunc(w.dropped, func(d lcm.ContextItem) bool { return d.Ordinal == item.Ordinal })
}
