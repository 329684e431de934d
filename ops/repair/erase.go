package repair

import (
	"context"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
)

// erasures delete the conversation, where the user chose it; nothing else is mended
// with it.
func (d *draft) erasures(ctx context.Context) error {
	for _, fault := range []string{"V06", "V07"} {
		for _, f := range d.take(fault) {
			if d.op.chosen(f) == "archive" || d.choice(f) != "delete" || d.erased {
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
			d.found = map[string][]integrity.Finding{fault: {f}}
			d.items, d.was = nil, nil
			d.done(f)
		}
	}
	return nil
}

// erase deletes all rows of the conversation and those that hang on them, or says why
// it can't be done.
func (d *draft) erase(ctx context.Context) (why string, err error) {
	conv := data.Row{"conversation_id": d.op.Conversation}
	own := map[string][]data.Row{}
	s := d.db.Schema()
	for _, table := range s.Tables() {
		if s.Has(table, "conversation_id") && len(s.Key(table)) > 0 {
			if own[table], err = d.db.Images(ctx, table, conv); err != nil {
				return "", err
			}
		}
	}
	for _, hang := range []struct{ table, column, of string }{
		{"message_parts", "message_id", "messages"},
		{"summary_messages", "summary_id", "summaries"},
		{"summary_messages", "message_id", "messages"},
		{"summary_parents", "summary_id", "summaries"},
		{"summary_parents", "parent_summary_id", "summaries"},
		{"context_items", "message_id", "messages"},
		{"context_items", "summary_id", "summaries"},
		{"focus_brief_sources", "brief_id", "focus_briefs"},
	} {
		if !s.Has(hang.of) {
			continue
		}
		key := s.Key(hang.of)[0]
		var ids []any
		for _, r := range own[hang.of] {
			ids = append(ids, r[key])
		}
		rows, err := d.db.ImagesIn(ctx, hang.table, hang.column, ids)
		if err != nil {
			return "", err
		}
		own[hang.table] = append(own[hang.table], rows...)
	}
	if other := foreignRow(own, d.op.Conversation); other != "" {
		return "another conversation's " + other + " hangs on it; mend that first (C02, L04)", nil
	}
	files := len(own["large_files"])
	for _, table := range sortedKeys(own) {
		if table != "conversations" {
			d.eraseRows(table, own[table])
		}
	}
	d.eraseRows("conversations", own["conversations"]) // The others point at it.
	d.erased = true
	d.plan.Note(fmt.Sprintf("conversation %d goes with all that belongs to it; undo brings it back", d.op.Conversation))
	if files > 0 {
		d.plan.Note("its large files stay on disk")
	}
	return "", nil
}

func (d *draft) eraseRows(table string, rows []data.Row) {
	for _, r := range rows {
		d.edits.delete(table, r)
	}
}

// foreignRow names a row of another conversation among those that would go, or is
// empty.
func foreignRow(own map[string][]data.Row, conv int64) string {
	for _, r := range own["context_items"] {
		if r["conversation_id"] != conv {
			return "context"
		}
	}
	for link, column := range map[string]string{"summary_messages": "summary_id", "summary_parents": "summary_id"} {
		for _, r := range own[link] {
			if !slices.ContainsFunc(own["summaries"], func(s data.Row) bool { return s["summary_id"] == r[column] }) {
				return "summary"
			}
		}
	}
	return ""
}
