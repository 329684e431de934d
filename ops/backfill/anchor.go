package backfill

import "lcm-tui/data"

// anchorTrustTable says which transcript entry ids of messages a host may trust. From 1.0. A
// host of 1.0 distrusts a message that has an id and no row here, and then stores later
// messages a second time.
const anchorTrustTable = "message_transcript_anchor_trust"

// trustAnchor writes that a message holds what the entry that it names says.
//
// The stored text of a message of which a payload went into a file differs from the entry's. A
// host that compares the two distrusts the message with this row and without it, so the row
// stands for such a message as well and says so.
func (w *planWriter) trustAnchor(id int64, m message) {
	if m.entry == "" || !w.db.Schema().Has(anchorTrustTable) {
		return
	}
	now, reason := w.db.FormatNow(), "imported from this transcript entry"
	if len(m.Files) > 0 {
		reason += "; a part of its text is stored in a file"
	}
	w.insertRow(anchorTrustTable, data.Row{
		"message_id": id, "conversation_id": w.conv, "transcript_entry_id": m.entry, "trust_state": data.TrustVerified, "source": "lcm-tui",
		"reason": reason, "verified_at": data.FormatTimeMillis(w.db.Now()), "created_at": now, "updated_at": now,
	})
}

// senderCell is the note about who sent a message. Hosts of 1.0 leave the column of an older
// file alone.
func (w *planWriter) senderCell(m message) any {
	if w.db.Schema().Has(anchorTrustTable) {
		return nil
	}
	return orNull(m.Sender)
}
