package repair

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops/repair/draft"
)

// duplicateMessages are the faults of messages that repeat another one of their conversation.
var duplicateMessages = []integrity.FaultID{
	integrity.TurnStoredAgain, integrity.TranscriptEntryDuplicate, integrity.MessageDuplicate, integrity.MessageRunDuplicate, integrity.ToolResultDuplicate,
}

// storedAgain removes the messages that the host stored again from the transcript. The first
// row gets the entry and the trust row of the second, so that the host recognizes it and
// doesn't store the entry once more. Therefore the second row goes also where the
// conversation goes on.
type storedAgain struct {
	removals *removals
	state    *state
	kept     map[int64]string // Messages that stay, and why.
	named    map[int64]bool   // First rows that have got an entry.
	// The repair also trusts the anchors that are distrusted for want of a trust row only.
	distrusted bool
}

// removeStoredAgain removes what the host stored again. It returns the messages of such
// findings that stay, and why: no other finding of the same message may remove them.
func removeStoredAgain(ctx context.Context, r *removals) (kept map[int64]string, err error) {
	a := &storedAgain{removals: r, state: r.state, kept: keptAgain(r.state), named: map[int64]bool{}, distrusted: r.state.found.has(integrity.AnchorDistrusted)}
	for _, f := range r.state.found.of(integrity.TurnStoredAgain) {
		if len(f.Rows) != 2 || r.state.op.chosen(f) == integrity.Keep {
			continue
		}
		if why, stays := a.kept[id(f.Row)]; stays {
			r.state.found.leave(f, why)
			continue
		}
		if !f.NeedsNoChoice && r.state.found.choice(f) != "drop" {
			continue
		}
		if err := a.remove(ctx, f, id(f.Rows[0]), id(f.Rows[1])); err != nil {
			return nil, err
		}
	}
	return a.kept, nil
}

// keptAgain returns the messages that were stored again and that the user keeps by a finding of
// any fault.
func keptAgain(s *state) map[int64]string {
	again, kept := map[int64]bool{}, map[int64]string{}
	for _, f := range s.found.listed {
		if f.Fault == integrity.TurnStoredAgain {
			again[id(f.Row)] = true
		}
	}
	for _, f := range s.found.listed {
		if len(again) == 0 || !slices.Contains(duplicateMessages, f.Fault) || s.op.chosen(f) != integrity.Keep && !s.op.skips(f) {
			continue
		}
		for _, m := range duplicates(f) {
			if again[m.message] {
				kept[m.message] = "you keep the message: " + Key(f)
			}
		}
	}
	return kept
}

// remove removes the second row of a finding, or says why it stays.
func (a *storedAgain) remove(ctx context.Context, f integrity.Finding, first, again int64) error {
	s := a.state
	if !s.messages.Has(first) || !s.messages.Has(again) {
		s.found.markRepaired(f) // Another finding of the same message did it.
		return nil
	}
	if a.named[first] {
		a.kept[again] = fmt.Sprintf("message %d is another entry of the transcript already, so this one isn't stored again", first)
		s.found.leave(f, a.kept[again])
		return nil
	}
	rows, err := data.ImagesIn(ctx, s.db, "messages", "message_id", []any{first, again}, "message_id", "transcript_entry_id")
	if err != nil || len(rows) != 2 {
		return err
	}
	entry := rows[1]["transcript_entry_id"]
	if draft.Number(rows[0]["message_id"]) == again {
		rows[0], entry = rows[1], rows[0]["transcript_entry_id"]
	}
	switch why := a.whyStays(first, again, entry); {
	case why != "":
		a.kept[again] = why
		s.found.leave(f, why)
		return nil
	case !a.mayDelete(first, again): // Its row stays, without the entry.
		s.rows.Set("messages", data.Row{"message_id": again, "transcript_entry_id": entry}, data.Row{"transcript_entry_id": nil})
		if a.removals.placed[again] {
			a.removals.kept = append(a.removals.kept, again)
		}
	default:
		for _, e := range a.removals.linksOf(again) {
			if a.removals.placed[first] {
				s.graph.Unlink(e)
			} else {
				a.removals.unlink(e, first)
			}
		}
		if err := deleteMessage(ctx, s, again); err != nil {
			return err
		}
	}
	delete(a.removals.placed, again)
	a.named[first] = true
	s.rows.Set("messages", rows[0], data.Row{"transcript_entry_id": entry})
	s.found.markRepaired(f)
	return a.moveTrust(ctx, first, again, entry)
}

// whyStays says why the second row can't go; empty where it can.
func (a *storedAgain) whyStays(first, again int64, entry any) string {
	r := a.removals
	switch {
	case draft.Text(entry) == "":
		return "it names no entry of the transcript, so the host would store it once more"
	case (r.placed[again] || r.below[again]) && !r.placed[first] && !r.below[first] && len(r.linksOf(again)) == 0:
		return fmt.Sprintf("message %d, which has the same text, isn't reached from the context, so this one stays", first)
	}
	return ""
}

// mayDelete reports whether no summary would be left without messages.
func (a *storedAgain) mayDelete(first, again int64) bool {
	inherits := !a.removals.placed[first] && len(a.removals.linksOf(first)) == 0
	return inherits || !slices.ContainsFunc(a.removals.linksOf(again), func(e *draft.Edge) bool {
		return len(a.state.graph.Summary(e.Summary).Messages()) < 2
	})
}

// moveTrust gives the trust row of the second row to the first, which has its entry now.
func (a *storedAgain) moveTrust(ctx context.Context, first, again int64, entry any) error {
	s := a.state
	rows, err := data.ImagesIn(ctx, s.db, data.AnchorTrustTable, "message_id", []any{first, again})
	if err != nil {
		return err
	}
	var had data.Row
	for _, r := range rows {
		if draft.Number(r["message_id"]) == first {
			had = r
		}
	}
	for _, r := range rows {
		if draft.Number(r["message_id"]) != again {
			continue
		}
		s.rows.Delete(data.AnchorTrustTable, r)
		moved := withoutColumn(r, "message_id")
		if !movable(moved, entry) {
			if had != nil {
				s.rows.Delete(data.AnchorTrustTable, had) // It is about the entry that the first row had.
			}
			continue
		}
		if a.distrusted && slices.Contains(unproven, draft.Text(moved["reason"])) {
			maps.Copy(moved, trustedAnchor(s, entry))
		}
		if _, known := moved["conversation_id"]; known {
			moved["conversation_id"] = s.op.Conversation
		}
		if _, known := moved["updated_at"]; known {
			moved["updated_at"] = s.db.FormatNow()
		}
		if had != nil {
			s.rows.Set(data.AnchorTrustTable, had, moved)
			continue
		}
		moved["message_id"] = first
		s.rows.Insert(data.AnchorTrustTable, moved)
	}
	return nil
}

// movable reports whether a host would believe a trust row beside this entry: one that it
// wouldn't is a fault of its own, for which the row is deleted.
func movable(trust data.Row, entry any) bool {
	state, known := trust["trust_state"]
	switch {
	case !known:
		return true
	case !slices.Contains(trustStates, draft.Text(state)):
		return false // No host wrote it.
	case !lcm.AnchorTrust{State: draft.Text(state)}.Trusted():
		return true
	}
	return trust["verified_at"] != nil && trust["transcript_entry_id"] == entry
}
