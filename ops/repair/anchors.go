package repair

import (
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops/repair/draft"
)

// repairAnchors repairs trust rows, epochs and receipts of turns.
func repairAnchors(ctx context.Context, s *state) error {
	for fault, repair := range map[integrity.FaultID]func(context.Context, *state, integrity.Finding) error{
		integrity.AnchorEntryWrong:        deleteAnchor,
		integrity.AnchorIncomplete:        deleteAnchor,
		integrity.AnchorConversationWrong: moveAnchor,
		integrity.EntryWithoutAnchor:      addAnchors,
		integrity.EpochUnusual:            deleteEpoch,
		integrity.AnchorDistrusted:        trustAnchors,
		integrity.TurnReceiptDangling:     deleteReceipts,
	} {
		for _, f := range s.found.of(fault) {
			if err := repair(ctx, s, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// deleteAnchor deletes the trust row of a finding.
func deleteAnchor(ctx context.Context, s *state, f integrity.Finding) error {
	rows, err := data.Images(ctx, s.db, data.AnchorTrustTable, data.Row{"message_id": id(f.Row)})
	for _, r := range rows {
		s.rows.Delete(data.AnchorTrustTable, r)
	}
	s.found.markRepaired(f)
	return err
}

// moveAnchor gives a trust row the conversation of its message.
func moveAnchor(ctx context.Context, s *state, f integrity.Finding) error {
	rows, err := data.Images(ctx, s.db, data.AnchorTrustTable, data.Row{"message_id": id(f.Row)})
	for _, r := range rows {
		s.rows.Set(data.AnchorTrustTable, r, data.Row{"conversation_id": s.op.Conversation, "updated_at": s.db.FormatNow()})
	}
	s.found.markRepaired(f)
	return err
}

// trustColumns are the columns of a trust row that this program writes, beside its key.
var trustColumns = []string{
	"conversation_id", "transcript_entry_id", "trust_state", "source", "reason", "verified_at", "created_at", "updated_at",
}

// trustStates are the states that the schema allows.
var trustStates = []string{lcm.TrustVerified, lcm.TrustRepaired, lcm.TrustSuspect, lcm.TrustLegacyPrefix, lcm.TrustUnproven}

// addAnchors adds a trust row for each message of the conversation that names an entry of the
// transcript and has none.
func addAnchors(ctx context.Context, s *state, f integrity.Finding) error {
	if !s.db.Schema().Has(data.AnchorTrustTable, slices.Concat(s.db.Schema().Key(data.AnchorTrustTable), trustColumns)...) {
		s.found.leave(f, "the table of anchors lacks a column that the host writes")
		return nil
	}
	var ids []any
	for m := range s.messages.All() {
		ids = append(ids, m.ID)
	}
	anchored := map[any]bool{}
	err := data.EachImage(ctx, s.db, data.AnchorTrustTable, "message_id", ids, func(r data.Row) { anchored[r["message_id"]] = true }, "message_id")
	if err != nil {
		return err
	}
	err = data.EachImage(ctx, s.db, "messages", "message_id", ids, func(r data.Row) {
		entry := r["transcript_entry_id"]
		if entry == nil || anchored[r["message_id"]] {
			return
		}
		row := trustedAnchor(s, entry)
		row["message_id"], row["conversation_id"], row["created_at"] = r["message_id"], s.op.Conversation, s.db.FormatNow()
		s.rows.Insert(data.AnchorTrustTable, row)
	}, "message_id", "transcript_entry_id")
	s.found.markRepaired(f)
	return err
}

// trustedAnchor returns the columns of a trust row that this program vouches for.
func trustedAnchor(s *state, entry any) data.Row {
	return lcm.TrustedAnchor(s.db, entry, "trusted by a repair; the host checks role and text")
}

// unproven are the reasons for which an anchor is suspect only because nobody vouched for it.
var unproven = []string{lcm.ReasonUnproven, lcm.ReasonBlank}

// trustAnchors marks the anchors as verified that the host distrusts only because nobody
// vouched for them, and deletes the epoch that says so. An anchor whose message has lost its
// entry is deleted: without one the message is as the host stores it.
func trustAnchors(ctx context.Context, s *state, f integrity.Finding) error {
	rows, err := data.Images(ctx, s.db, data.AnchorTrustTable, data.Row{"conversation_id": s.op.Conversation, "trust_state": lcm.TrustSuspect})
	if err != nil {
		return err
	}
	rows = slices.DeleteFunc(rows, func(r data.Row) bool { return !slices.Contains(unproven, draft.Text(r["reason"])) })
	entries := map[any]any{}
	var ids []any
	for _, r := range rows {
		ids = append(ids, r["message_id"])
	}
	err = data.EachImage(ctx, s.db, "messages", "message_id", ids, func(r data.Row) { entries[r["message_id"]] = r["transcript_entry_id"] }, "message_id", "transcript_entry_id")
	if err != nil {
		return err
	}
	for _, r := range rows {
		if entry := entries[r["message_id"]]; entry != nil {
			s.rows.Set(data.AnchorTrustTable, r, trustedAnchor(s, entry))
		} else {
			s.rows.Delete(data.AnchorTrustTable, r)
		}
	}
	return deleteEpoch(ctx, s, f)
}

// deleteEpoch deletes the epoch of the conversation.
func deleteEpoch(ctx context.Context, s *state, f integrity.Finding) error {
	rows, err := data.Images(ctx, s.db, data.EpochTable, data.Row{"conversation_id": s.op.Conversation})
	for _, r := range rows {
		s.rows.Delete(data.EpochTable, r)
	}
	s.found.markRepaired(f)
	return err
}

// deleteReceipts deletes the receipts of a session that no conversation has. Where a
// conversation has the session's key, the host may send a turn again that is stored there:
// then they go only if the user named the fault.
func deleteReceipts(ctx context.Context, s *state, f integrity.Finding) error {
	dangling, err := lcm.ReadDanglingReceipts(ctx, s.db)
	if err != nil {
		return err
	}
	for _, d := range dangling {
		if d.Session == f.Row && d.KeyGoesOn && !s.op.namesFinding(f) {
			s.found.leave(f, "a conversation has the session key of these receipts; a turn that the host sends again would be stored twice")
			return nil
		}
	}
	rows, err := data.Images(ctx, s.db, data.TurnTable, data.Row{"session_id": f.Row})
	for _, r := range rows {
		s.rows.Delete(data.TurnTable, r)
	}
	s.found.markRepaired(f)
	return err
}
