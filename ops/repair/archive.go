package repair

import (
	"context"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops/repair/draft"
)

// endConversation deletes or archives the conversation, where the user chose that, and repairs
// whether it is active.
func endConversation(ctx context.Context, s *state) error {
	if err := deleteConversation(ctx, s); err != nil || s.deleted {
		return err
	}
	if err := repairArchiveState(ctx, s); err != nil {
		return err
	}
	return archiveConversation(ctx, s)
}

// repairArchiveState sets whether a conversation is active by when it was archived, and the
// other way round.
func repairArchiveState(ctx context.Context, s *state) error {
	for _, f := range s.found.of(integrity.ArchiveStateWrong) {
		r, err := conversationRow(ctx, s)
		if err != nil {
			return err
		}
		switch active, known := r["active"].(int64); {
		case !known || active != 0 && active != 1:
			active = 0
			if draft.Text(r["archived_at"]) == "" {
				active = 1
			}
			s.rows.Set("conversations", r, data.Row{"active": active})
		case active == 0:
			s.rows.Set("conversations", r, data.Row{"archived_at": r["updated_at"]})
		default:
			s.rows.Set("conversations", r, data.Row{"archived_at": nil})
		}
		s.found.markRepaired(f)
	}
	return nil
}

// archiveConversation archives the conversation, where the user chose it.
func archiveConversation(ctx context.Context, s *state) error {
	for _, fault := range []integrity.FaultID{integrity.SessionKeyDuplicate, integrity.SessionIDDuplicate, integrity.ConversationSilent, integrity.JobConversation, integrity.ConversationEmpty} {
		for _, f := range s.found.of(fault) {
			if s.found.choice(f) != "archive" {
				continue
			}
			r, err := conversationRow(ctx, s)
			if err != nil {
				return err
			}
			if draft.Number(r["active"]) == 0 {
				s.found.leave(f, "it is archived already; you can choose delete")
				continue
			}
			// A person ended it: hosts call that a reset by hand.
			s.rows.Set("conversations", r, data.Row{"active": int64(0), "archived_at": s.db.FormatNow(), "archive_cause": "manual-reset"})
			s.found.markRepaired(f)
		}
	}
	return nil
}

// conversationRow returns the row of the conversation.
func conversationRow(ctx context.Context, s *state) (data.Row, error) {
	rows, err := data.ImagesIn(ctx, s.db, "conversations", "conversation_id", []any{s.op.Conversation},
		"conversation_id", "active", "archived_at", "archive_cause", "updated_at")
	if err != nil || len(rows) != 1 {
		return data.Row{}, err
	}
	return rows[0], nil
}

// touchConversation dates the change of the conversation.
func touchConversation(ctx context.Context, s *state) error {
	if s.op.Conversation == 0 || s.deleted || len(s.rows.Changes()) == 0 && len(s.plan.Changes) == 0 {
		return nil
	}
	r, err := conversationRow(ctx, s)
	if err == nil {
		s.rows.Set("conversations", r, data.Row{"updated_at": s.db.FormatNow()})
	}
	return err
}
