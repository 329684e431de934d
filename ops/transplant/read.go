package transplant

import (
	"cmp"
	"context"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/internal/plural"
	"lcm-tui/internal/sorting"
)

// read reads all rows to copy, with every column.
func (t *transfer) read(ctx context.Context) error {
	var ids []any
	for _, n := range t.nodes {
		ids = append(ids, n.ID)
	}
	err := t.sourceDB.EachImage(ctx, "summaries", "summary_id", ids, func(r data.Row) { t.summaries[data.CellText(r["summary_id"])] = r })
	if err != nil {
		return err
	}
	wanted := t.messagesToCopy()
	if err := t.sourceDB.EachSparseImage(ctx, "messages", "message_id", wanted, func(r data.Row) { t.messages = append(t.messages, r) }); err != nil {
		return err
	}
	t.sortMessages()
	t.noteMissingSources(len(wanted) - len(t.messages))
	t.noteForgotten()
	contents := make(map[int64]any, len(t.messages))
	for _, r := range t.messages {
		contents[data.CellInteger(r["message_id"])] = r["content"]
	}
	return t.sourceDB.EachSparseImage(ctx, "message_parts", "message_id", wanted, func(r data.Row) {
		id := data.CellInteger(r["message_id"])
		if text, ok := r["text_content"].(string); ok && contents[id] == any(text) {
			r["text_content"] = contents[id] // Memory has the text once.
		}
		t.parts[id] = append(t.parts[id], r)
	})
}

// messagesToCopy are the ids of the messages to copy, each once.
func (t *transfer) messagesToCopy() (ids []any) {
	seen := map[int64]bool{}
	add := func(id int64) {
		if _, present := t.present[id]; !present && !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	for _, n := range t.nodes {
		for _, l := range t.messageLinks[n.ID] {
			add(l.Message)
		}
	}
	for _, it := range t.rawMessages {
		add(it.Message)
	}
	for _, id := range t.others {
		add(id)
	}
	return ids
}

// sortMessages sorts the source's messages by seq. Where some are of other conversations,
// as a damaged file may have them below a summary, all are sorted by time.
func (t *transfer) sortMessages() {
	foreign := 0
	for _, r := range t.messages {
		if data.CellInteger(r["conversation_id"]) != t.Source {
			foreign++
		}
	}
	sorting.Stable(t.messages, func(x, y *data.Row) int {
		a, b := *x, *y
		if foreign > 0 {
			if c := data.CellTime(a["created_at"]).Compare(data.CellTime(b["created_at"]).Time); c != 0 {
				return c
			}
		}
		return cmp.Or(cmp.Compare(data.CellInteger(a["seq"]), data.CellInteger(b["seq"])),
			cmp.Compare(data.CellInteger(a["message_id"]), data.CellInteger(b["message_id"])))
	})
	if foreign > 0 {
		t.plan.Warn(plural.Count(foreign, "message", "messages") + " below the copied summaries belong to other conversations; they are copied too")
	}
}

// noteForgotten says how many of the copied messages are stubs: their texts are nowhere in the
// source, so they aren't in the target either.
func (t *transfer) noteForgotten() {
	n := 0
	for _, r := range t.messages {
		if data.IsForgotten(data.CellText(r["content"])) {
			n++
		}
	}
	if n > 0 {
		t.plan.Note(plural.Count(n, "copied message was", "copied messages were") + " forgotten in the source: the stubs are copied")
	}
}

// noteMissingSources warns of links to rows that don't exist; n is how many messages are
// missing.
func (t *transfer) noteMissingSources(n int) {
	if n > 0 {
		t.plan.Warn(fmt.Sprintf("the summaries are linked to %s; those links aren't copied", plural.Count(n, "message that doesn't exist", "messages that don't exist")))
	}
	if t.missingSources > 0 {
		t.plan.Warn(fmt.Sprintf("the summaries are made of %s; those links aren't copied", plural.Count(t.missingSources, "summary that doesn't exist", "summaries that don't exist")))
	}
}
