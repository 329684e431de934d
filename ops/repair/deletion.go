package repair

import (
	"context"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/repair/draft"
)

// deleteConversation deletes the conversation, where the user chose it; nothing else is
// repaired then.
func deleteConversation(ctx context.Context, s *state) error {
	for _, fault := range []integrity.FaultID{integrity.JobConversation, integrity.ConversationEmpty} {
		for _, f := range s.found.of(fault) {
			if s.deleted || s.op.chosen(f) == "archive" || s.found.choice(f) != "delete" {
				continue
			}
			why, err := deleteAllRows(ctx, s)
			if err != nil {
				return err
			}
			if why != "" {
				s.found.leave(f, why)
				continue
			}
			s.found.keepOnly(fault, f)
			s.found.markRepaired(f)
		}
	}
	return nil
}

// deleteAllRows deletes all rows of the conversation and those that belong to them, or says
// why it can't.
func deleteAllRows(ctx context.Context, s *state) (why string, err error) {
	own, err := ownRows(ctx, s)
	if err != nil {
		return "", err
	}
	if len(own["messages"]) > 0 {
		if why, err := whyOngoing(ctx, s); why != "" || err != nil {
			return why + ". An archived conversation can be deleted a day after its last change", err
		}
	}
	other, err := foreignRow(ctx, s, own)
	if err != nil {
		return "", err
	}
	if other != "" {
		return "another conversation's " + other + " refers to it; repair that first (context items and links of other conversations, C02 and L04)", nil
	}
	for _, n := range s.graph.Summaries() {
		if _, err := showDeletedText(ctx, s, n.ID); err != nil {
			return "", err
		}
	}
	files := len(own["large_files"])
	for _, table := range deletionOrder(own) {
		for _, r := range own[table] {
			s.rows.Delete(table, r)
		}
	}
	s.deleted = true
	s.plan.Note(fmt.Sprintf("%s is deleted with all that belongs to it, %s and %s; undo brings it back", lcm.Label(ctx, s.db, s.op.Conversation),
		plural.Count(len(own["messages"]), "message", "messages"), plural.Count(len(own["summaries"]), "summary", "summaries")))
	if files > 0 {
		s.plan.Note("its large files stay on disk")
	}
	return "", nil
}

// belonging are the tables whose rows belong to a conversation by way of another's, and the
// column by which they do.
var belonging = []struct{ table, column, of, key string }{
	{"message_parts", "message_id", "messages", "message_id"},
	{draft.MessageTable, "summary_id", "summaries", "summary_id"},
	{draft.MessageTable, "message_id", "messages", "message_id"},
	{draft.SourceTable, "summary_id", "summaries", "summary_id"},
	{draft.SourceTable, "parent_summary_id", "summaries", "summary_id"},
	{"context_items", "message_id", "messages", "message_id"},
	{"context_items", "summary_id", "summaries", "summary_id"},
	{"focus_brief_sources", "brief_id", "focus_briefs", "brief_id"},
	{data.PendingNodeMessageTable, "node_id", data.PendingNodeTable, "node_id"},
	{data.PendingNodeChildTable, "node_id", data.PendingNodeTable, "node_id"},
}

// ownRows returns all rows of the conversation and those that belong to them, by table.
func ownRows(ctx context.Context, s *state) (map[string][]data.Row, error) {
	own := map[string][]data.Row{}
	schema := s.db.Schema()
	for _, table := range schema.Tables() {
		if !schema.Has(table, "conversation_id") || len(schema.Key(table)) == 0 {
			continue
		}
		rows, err := data.Images(ctx, s.db, table, data.Row{"conversation_id": s.op.Conversation})
		if err != nil {
			return nil, err
		}
		own[table] = rows
	}
	for _, h := range belonging {
		var ids []any
		for _, r := range own[h.of] {
			ids = append(ids, r[h.key])
		}
		rows, err := data.ImagesIn(ctx, s.db, h.table, h.column, ids)
		if err != nil {
			return nil, err
		}
		own[h.table] = append(own[h.table], rows...)
	}
	receipts, err := ownReceipts(ctx, s)
	if err != nil {
		return nil, err
	}
	own[data.TurnTable] = receipts
	return own, nil
}

// ownReceipts returns the receipts of turns of the conversation's session. The schema doesn't
// delete them, and they stay while another conversation has the session.
func ownReceipts(ctx context.Context, s *state) ([]data.Row, error) {
	schema := s.db.Schema()
	if !schema.Has(data.TurnTable, "session_id") || len(schema.Key(data.TurnTable)) == 0 {
		return nil, nil
	}
	session, err := data.ImagesIn(ctx, s.db, "conversations", "conversation_id", []any{s.op.Conversation}, "session_id")
	if err != nil || len(session) != 1 || draft.Text(session[0]["session_id"]) == "" {
		return nil, err
	}
	having, err := data.ImagesIn(ctx, s.db, "conversations", "session_id", []any{session[0]["session_id"]}, "conversation_id")
	if err != nil || len(having) > 1 {
		return nil, err
	}
	return data.Images(ctx, s.db, data.TurnTable, data.Row{"session_id": session[0]["session_id"]})
}

// deletionOrder returns the tables in the order in which their rows go: what refers to others first,
// the conversation last.
func deletionOrder(own map[string][]data.Row) []string {
	order := []string{data.PendingNodeChildTable, data.PendingNodeMessageTable, data.PendingNodeTable, data.PendingBatchTable}
	for _, table := range sortedKeys(own) {
		if table != "conversations" && !slices.Contains(order, table) {
			order = append(order, table)
		}
	}
	return append(order, "conversations")
}

// foreignRow names a row of another conversation among those that would go, or is empty. A
// link or context item of which the other end doesn't exist is nobody's, and goes along.
func foreignRow(ctx context.Context, s *state, own map[string][]data.Row) (string, error) {
	mine := map[string]bool{}
	for _, r := range own["summaries"] {
		mine[draft.Text(r["summary_id"])] = true
	}
	var conversations, summaries []any
	for _, r := range own["context_items"] {
		if r["conversation_id"] != s.op.Conversation {
			conversations = append(conversations, r["conversation_id"])
		}
	}
	for _, link := range []string{draft.MessageTable, draft.SourceTable} {
		for _, r := range own[link] {
			if !mine[draft.Text(r["summary_id"])] {
				summaries = append(summaries, r["summary_id"])
			}
		}
	}
	for _, others := range []struct {
		name, table, key string
		ids              []any
	}{{"context", "conversations", "conversation_id", conversations}, {"summary", "summaries", "summary_id", summaries}} {
		rows, err := data.ImagesIn(ctx, s.db, others.table, others.key, others.ids, others.key)
		if err != nil {
			return "", err
		}
		if len(rows) > 0 {
			return others.name + " " + keyName(rows[0][others.key]), nil
		}
	}
	return "", nil
}

// keyName returns a key in words.
func keyName(key any) string {
	if s := draft.Text(key); s != "" {
		return s
	}
	return fmt.Sprint(key)
}
