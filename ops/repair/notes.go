package repair

import (
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
)

// archive mends whether a conversation is active, and archives one that the user chose.
func (d *draft) archive(ctx context.Context) error {
	for _, f := range d.take(integrity.ArchiveStateWrong) {
		r, err := d.conversation(ctx)
		if err != nil {
			return err
		}
		switch active, known := r["active"].(int64); {
		case !known || active != 0 && active != 1:
			active = 0
			if word(r["archived_at"]) == "" {
				active = 1
			}
			d.edits.set("conversations", r, data.Row{"active": active})
		case active == 0:
			d.edits.set("conversations", r, data.Row{"archived_at": r["updated_at"]})
		default:
			d.edits.set("conversations", r, data.Row{"archived_at": nil})
		}
		d.done(f)
	}
	for _, fault := range []integrity.FaultID{integrity.SessionKeyDuplicate, integrity.SessionIDDuplicate, integrity.ConversationSilent, integrity.JobConversation, integrity.ConversationEmpty} {
		for _, f := range d.take(fault) {
			if d.erased || d.choice(f) != "archive" {
				continue
			}
			r, err := d.conversation(ctx)
			if err != nil {
				return err
			}
			if number(r["active"]) == 0 {
				d.leave(f, "it is archived already; what is left to choose is delete")
				continue
			}
			// A person ended it: hosts call that a reset by hand.
			d.edits.set("conversations", r, data.Row{"active": int64(0), "archived_at": d.db.FormatNow(), "archive_cause": "manual-reset"})
			d.done(f)
		}
	}
	return nil
}

// conversation is the row of the conversation.
func (d *draft) conversation(ctx context.Context) (data.Row, error) {
	rows, err := d.db.ImagesIn(ctx, "conversations", "conversation_id", []any{d.op.Conversation},
		"conversation_id", "active", "archived_at", "archive_cause", "updated_at")
	if err != nil || len(rows) != 1 {
		return data.Row{}, err
	}
	return rows[0], nil
}

// notes mends what the host notes about its work.
func (d *draft) notes(ctx context.Context) error {
	for _, fault := range []integrity.FaultID{integrity.BootstrapStateWrong, integrity.TranscriptShared, integrity.CompactionStuck, integrity.CompactionOwedByArchived, integrity.CompactionFailing, integrity.FocusBriefWrong, integrity.HostStateDangling} {
		for _, f := range d.take(fault) {
			if slices.Contains([]integrity.FaultID{integrity.TranscriptShared, integrity.CompactionFailing}, fault) && d.choice(f) == "" {
				continue
			}
			if fault == integrity.BootstrapStateWrong && f.Severity == integrity.Info {
				d.leave(f, "the host corrects it at its next start, and only as long as the note is there")
				continue
			}
			if err := d.mendNote(ctx, f); err != nil {
				return err
			}
			d.done(f)
		}
	}
	return nil
}

// mendNote mends the row that a finding is about.
func (d *draft) mendNote(ctx context.Context, f integrity.Finding) error {
	if f.Fault == integrity.FocusBriefWrong {
		return d.briefs(ctx, f)
	}
	rows, err := d.db.Images(ctx, f.Table, data.Row{"conversation_id": id(f.Row)})
	for _, r := range rows {
		switch f.Fault {
		case integrity.BootstrapStateWrong, integrity.TranscriptShared: // Without the row the host stores nothing more; without the path it finds its transcript again.
			d.edits.set(f.Table, r, data.Row{"session_file_path": ""})
		case integrity.HostStateDangling:
			d.edits.delete(f.Table, r)
		case integrity.CompactionStuck:
			d.edits.set(f.Table, r, data.Row{"running": int64(0), "pending": int64(1), "updated_at": d.db.FormatNow()})
		case integrity.CompactionOwedByArchived:
			d.edits.set(f.Table, r, data.Row{
				"pending": int64(0), "running": int64(0), "resolution_reason": "operator-ignored", "resolved_at": data.FormatTimeMillis(d.db.Now()),
				"maintenance_revision": number(r["maintenance_revision"]) + 1, "updated_at": d.db.FormatNow(),
			})
		case integrity.CompactionFailing:
			d.edits.set(f.Table, r, data.Row{"retry_attempts": int64(0), "next_attempt_after": nil, "updated_at": d.db.FormatNow()})
		}
	}
	return err
}

// briefs deactivates a brief of which a source is lost, and of several active ones all
// but the newest.
func (d *draft) briefs(ctx context.Context, f integrity.Finding) error {
	all, err := d.db.FocusBriefs(ctx, d.op.Conversation)
	if err != nil {
		return err
	}
	kept := false
	for _, b := range all { // Newest first.
		if b.Status != "active" {
			continue
		}
		lost := slices.ContainsFunc(b.Sources, func(s data.FocusSource) bool { return s.Missing })
		if !lost && !kept {
			kept = true
			continue
		}
		rows, err := d.db.ImagesIn(ctx, f.Table, "brief_id", []any{b.ID}, "brief_id", "status", "updated_at")
		if err != nil {
			return err
		}
		for _, r := range rows {
			d.edits.set(f.Table, r, data.Row{"status": "inactive", "updated_at": d.db.FormatNow()})
		}
	}
	return nil
}

// touch notes on the conversation that it was changed.
func (d *draft) touch(ctx context.Context) error {
	if d.op.Conversation == 0 || d.erased || len(d.edits.changes()) == 0 && len(d.plan.Changes) == 0 {
		return nil
	}
	r, err := d.conversation(ctx)
	if err == nil {
		d.edits.set("conversations", r, data.Row{"updated_at": d.db.FormatNow()})
	}
	return err
}
