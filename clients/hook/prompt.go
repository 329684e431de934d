package hook

import (
	"context"
	"fmt"

	"lcm-tui/engine/hints"
)

// promptBudget is how many characters a prompt gets at most.
const promptBudget = 800

// hint puts what the project's earlier sessions recorded about a prompt into the context. Most prompts get nothing.
func (h *Hook) hint(ctx context.Context, e Event) (a Answer, err error) {
	if !hints.IsQuestion(e.Prompt) {
		return a, nil
	}
	had, err := h.Notes.Injected(ctx, e.Session)
	if err != nil {
		return a, err
	}
	r := hints.Request{Prompt: e.Prompt, Known: had.IDs, Safe: h.safe}
	earlier, err := h.earlier(ctx, e)
	if err != nil {
		return a, err
	}
	for _, c := range earlier {
		r.Conversations = append(r.Conversations, c.ID)
	}
	if r.Entries, err = h.entries(ctx, e); err != nil {
		return a, err
	}
	found, err := r.Find(ctx, h.DB)
	if err != nil || len(found) == 0 {
		return a, err
	}
	t := &history{left: min(promptBudget, sessionBudget-had.Characters), shown: had.IDs, again: had.Characters > 0}
	for _, f := range found {
		t.add(f.ID, fmt.Sprintf("- %s (%s, %s)", f.Text, f.ID, day(f.At)))
	}
	return h.tell(ctx, e, e.Name, t)
}
