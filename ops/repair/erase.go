package repair

import (
	"context"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops"
)

// erasures delete the conversation, where the user chose it; nothing else is mended
// with it.
func (d *draft) erasures(ctx context.Context) error {
	for _, fault := range []integrity.FaultID{integrity.JobConversation, integrity.ConversationEmpty} {
		for _, f := range d.take(fault) {
			if d.erased || d.op.chosen(f) == "archive" || d.choice(f) != "delete" {
				continue
			}
			why, err := d.erase(ctx)
			if err != nil {
				return err
			}
			if why != "" {
				d.leave(f, why)
				continue
			}
			d.found = map[integrity.FaultID][]integrity.Finding{fault: {f}}
			d.items, d.was = nil, nil
			d.done(f)
		}
	}
	return nil
}

// erase deletes all rows of the conversation and those that hang on them, or says why
// it can't be done.
func (d *draft) erase(ctx context.Context) (why string, err error) {
	own, err := d.own(ctx)
	if err != nil {
		return "", err
	}
	if len(own["messages"]) > 0 {
		if why, err := d.goesOn(ctx); why != "" || err != nil {
			return why + ". An archived conversation can be deleted a day after its last change", err
		}
	}
	other, err := d.foreignRow(ctx, own)
	if err != nil {
		return "", err
	}
	if other != "" {
		return "another conversation's " + other + " refers to it; repair that first (C02, L04)", nil
	}
	for _, n := range d.order {
		if _, err := d.showText(ctx, n.ID); err != nil {
			return "", err
		}
	}
	files := len(own["large_files"])
	for _, table := range erasing(own) {
		for _, r := range own[table] {
			d.edits.delete(table, r)
		}
	}
	d.erased = true
	d.plan.Note(fmt.Sprintf("conversation %d is deleted with all that belongs to it, %s and %s; undo brings it back", d.op.Conversation,
		ops.Count(len(own["messages"]), "message", "messages"), ops.Count(len(own["summaries"]), "summary", "summaries")))
	if files > 0 {
		d.plan.Note("its large files stay on disk")
	}
	return "", nil
}

// hanging are the tables whose rows belong to a conversation by way of another's, and the
// column by which they do.
var hanging = []struct{ table, column, of, key string }{
	{"message_parts", "message_id", "messages", "message_id"},
	{memberTable, "summary_id", "summaries", "summary_id"},
	{memberTable, "message_id", "messages", "message_id"},
	{sourceTable, "summary_id", "summaries", "summary_id"},
	{sourceTable, "parent_summary_id", "summaries", "summary_id"},
	{"context_items", "message_id", "messages", "message_id"},
	{"context_items", "summary_id", "summaries", "summary_id"},
	{"focus_brief_sources", "brief_id", "focus_briefs", "brief_id"},
	{"pending_summary_node_messages", "node_id", "pending_summary_nodes", "node_id"},
	{"pending_summary_node_children", "node_id", "pending_summary_nodes", "node_id"},
}

// own are all rows of the conversation and those that belong to them, by table.
func (d *draft) own(ctx context.Context) (map[string][]data.Row, error) {
	own := map[string][]data.Row{}
	s := d.db.Schema()
	for _, table := range s.Tables() {
		if !s.Has(table, "conversation_id") || len(s.Key(table)) == 0 {
			continue
		}
		rows, err := d.db.Images(ctx, table, data.Row{"conversation_id": d.op.Conversation})
		if err != nil {
			return nil, err
		}
		own[table] = rows
	}
	for _, h := range hanging {
		var ids []any
		for _, r := range own[h.of] {
			ids = append(ids, r[h.key])
		}
		rows, err := d.db.ImagesIn(ctx, h.table, h.column, ids)
		if err != nil {
			return nil, err
		}
		own[h.table] = append(own[h.table], rows...)
	}
	return own, nil
}

// erasing are the tables in the order in which their rows go: what refers to others first,
// the conversation last.
func erasing(own map[string][]data.Row) []string {
	order := []string{"pending_summary_node_children", "pending_summary_node_messages", "pending_summary_nodes", "pending_compaction_batches"}
	for _, table := range sortedKeys(own) {
		if table != "conversations" && !slices.Contains(order, table) {
			order = append(order, table)
		}
	}
	return append(order, "conversations")
}

// foreignRow names a row of another conversation among those that would go, or is empty. A
// link or place of which the other end doesn't exist is nobody's, and goes along.
func (d *draft) foreignRow(ctx context.Context, own map[string][]data.Row) (string, error) {
	mine := map[string]bool{}
	for _, s := range own["summaries"] {
		mine[word(s["summary_id"])] = true
	}
	var conversations, summaries []any
	for _, r := range own["context_items"] {
		if r["conversation_id"] != d.op.Conversation {
			conversations = append(conversations, r["conversation_id"])
		}
	}
	for _, link := range []string{memberTable, sourceTable} {
		for _, r := range own[link] {
			if !mine[word(r["summary_id"])] {
				summaries = append(summaries, r["summary_id"])
			}
		}
	}
	for _, others := range []struct {
		name, table, key string
		ids              []any
	}{{"context", "conversations", "conversation_id", conversations}, {"summary", "summaries", "summary_id", summaries}} {
		rows, err := d.db.ImagesIn(ctx, others.table, others.key, others.ids, others.key)
		if err != nil {
			return "", err
		}
		if len(rows) > 0 {
			return others.name + " " + name(rows[0][others.key]), nil
		}
	}
	return "", nil
}

// name is a key in words.
func name(key any) string {
	if s := word(key); s != "" {
		return s
	}
	return fmt.Sprint(key)
}
