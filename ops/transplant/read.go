package transplant

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/ops"
)

// read reads all rows that are carried, whole.
func (t *transfer) read(ctx context.Context) error {
	var ids []any
	for _, n := range t.nodes {
		ids = append(ids, n.ID)
	}
	err := t.from.EachImage(ctx, "summaries", "summary_id", ids, func(r data.Row) { t.summaries[data.CellText(r["summary_id"])] = r })
	if err != nil {
		return err
	}
	wanted := t.wanted()
	if err := t.from.EachImage(ctx, "messages", "message_id", wanted, func(r data.Row) { t.messages = append(t.messages, r) }); err != nil {
		return err
	}
	t.sortMessages()
	t.tellMissing(len(wanted) - len(t.messages))
	return t.from.EachImage(ctx, "message_parts", "message_id", wanted, func(r data.Row) {
		id := data.CellInteger(r["message_id"])
		t.parts[id] = append(t.parts[id], r)
	})
}

// wanted are the numbers of the messages to carry, each once.
func (t *transfer) wanted() (ids []any) {
	seen := map[int64]bool{}
	add := func(id int64) {
		if _, there := t.there[id]; !there && !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	for _, n := range t.nodes {
		for _, l := range t.under[n.ID] {
			add(l.Message)
		}
	}
	for _, it := range t.raw {
		add(it.Message)
	}
	return ids
}

// sortMessages brings the originals into the order in which they were said.
// Messages of other conversations, which a damaged file may have under a summary,
// go by their time.
func (t *transfer) sortMessages() {
	strangers := 0
	for _, r := range t.messages {
		if data.CellInteger(r["conversation_id"]) != t.Source {
			strangers++
		}
	}
	slices.SortFunc(t.messages, func(a, b data.Row) int {
		if strangers > 0 {
			if c := data.CellTime(a["created_at"]).Compare(data.CellTime(b["created_at"]).Time); c != 0 {
				return c
			}
		}
		return cmp.Or(cmp.Compare(data.CellInteger(a["seq"]), data.CellInteger(b["seq"])),
			cmp.Compare(data.CellInteger(a["message_id"]), data.CellInteger(b["message_id"])))
	})
	if strangers > 0 {
		t.plan.Warn(ops.Count(strangers, "message", "messages") + " under the carried summaries belong to other conversations; they are carried like the others")
	}
}

func (t *transfer) tellMissing(n int) {
	if n > 0 {
		t.plan.Warn(fmt.Sprintf("the summaries are linked to %s; those links aren't carried", ops.Count(n, "message that doesn't exist", "messages that don't exist")))
	}
	if t.lost > 0 {
		t.plan.Warn(fmt.Sprintf("the summaries are made of %s; those links aren't carried", ops.Count(t.lost, "summary that doesn't exist", "summaries that don't exist")))
	}
}
