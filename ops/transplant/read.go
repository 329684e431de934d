package transplant

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
	"lcm-tui/internal/sorting"
	"lcm-tui/ops"
)

// originals are the source's rows of all that is copied, with every column.
type originals struct {
	messages  []data.Row           // In the order of their seqs.
	parts     map[int64][]data.Row // By message.
	summaries map[string]data.Row  // By id.
}

// readOriginals reads the rows of a selection.
func readOriginals(ctx context.Context, from *source, chosen *selection, plan *ops.Plan) (originals, error) {
	o := originals{parts: map[int64][]data.Row{}, summaries: map[string]data.Row{}}
	var ids []any
	for _, n := range chosen.nodes {
		ids = append(ids, n.ID)
	}
	err := data.EachImage(ctx, from.db, "summaries", "summary_id", ids, func(r data.Row) { o.summaries[data.CellText(r["summary_id"])] = r })
	if err != nil {
		return o, err
	}
	wanted := chosen.messageIDs()
	if err := data.EachSparseImage(ctx, from.db, "messages", "message_id", wanted, func(r data.Row) { o.messages = append(o.messages, r) }); err != nil {
		return o, err
	}
	o.sortMessages(from.ID, plan)
	noteMissingSources(len(wanted)-len(o.messages), chosen.missingSources, plan)
	o.noteForgotten(plan)
	contents := make(map[int64]any, len(o.messages))
	for _, r := range o.messages {
		contents[data.CellInteger(r["message_id"])] = r["content"]
	}
	return o, data.EachSparseImage(ctx, from.db, "message_parts", "message_id", wanted, func(r data.Row) {
		id := data.CellInteger(r["message_id"])
		if text, ok := r["text_content"].(string); ok && contents[id] == any(text) {
			r["text_content"] = contents[id] // Memory has the text once.
		}
		o.parts[id] = append(o.parts[id], r)
	})
}

// sortMessages sorts the source's messages by seq. Where some are of other conversations,
// as a damaged file may have them below a summary, all are sorted by time.
func (o *originals) sortMessages(conversation int64, plan *ops.Plan) {
	foreign := 0
	for _, r := range o.messages {
		if data.CellInteger(r["conversation_id"]) != conversation {
			foreign++
		}
	}
	sorting.Stable(o.messages, func(x, y *data.Row) int {
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
		plan.Warn(plural.Count(foreign, "message", "messages") + " below the copied summaries belong to other conversations; they are copied too")
	}
}

// noteForgotten says how many of the copied messages are stubs: their texts are nowhere in the
// source, so they aren't in the target either.
func (o *originals) noteForgotten(plan *ops.Plan) {
	n := 0
	for _, r := range o.messages {
		if data.IsForgotten(data.CellText(r["content"])) {
			n++
		}
	}
	if n > 0 {
		plan.Note(plural.Count(n, "copied message was", "copied messages were") + " forgotten in the source: the stubs are copied")
	}
}

// noteMissingSources warns of links to messages and summaries that don't exist.
func noteMissingSources(messages, summaries int, plan *ops.Plan) {
	if messages > 0 {
		plan.Warn(fmt.Sprintf("the summaries are linked to %s; those links aren't copied", plural.Count(messages, "message that doesn't exist", "messages that don't exist")))
	}
	if summaries > 0 {
		plan.Warn(fmt.Sprintf("the summaries are made of %s; those links aren't copied", plural.Count(summaries, "summary that doesn't exist", "summaries that don't exist")))
	}
}

// mentionedFiles returns the ids of large files in all that is copied.
func (o *originals) mentionedFiles() (ids []any) {
	found := map[string]bool{}
	scan := func(r data.Row) {
		for _, v := range r {
			if text, ok := v.(string); ok {
				lcm.EachFileID(text, func(_ int, id string) { found[id] = true })
			}
		}
	}
	for _, r := range o.summaries {
		scan(r)
	}
	for _, r := range o.messages {
		scan(r)
		for _, p := range o.parts[data.CellInteger(r["message_id"])] {
			scan(p)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		ids = append(ids, id)
	}
	return ids
}
