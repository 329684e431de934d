package backfill

import (
	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// trustAnchor writes that a message holds what the entry that it names says. A host of 1.0
// distrusts a message that has an id and no such row, and then stores later messages a second time.
//
// The stored text of a message of which a payload went into a file differs from the entry's. A
// host that compares the two distrusts the message with this row and without it, so the row
// stands for such a message as well and says so.
func (w *planWriter) trustAnchor(id int64, m message) {
	if m.entry == "" || !w.db.Schema().Has(data.AnchorTrustTable) {
		return
	}
	reason := "imported from this transcript entry"
	if len(m.Files) > 0 {
		reason += "; a part of its text is stored in a file"
	}
	row := lcm.TrustedAnchor(w.db, m.entry, reason)
	row["message_id"], row["conversation_id"], row["created_at"] = id, w.conv, row["updated_at"]
	w.insertRow(data.AnchorTrustTable, row)
}

// senderCell returns the note about who sent a message. Hosts of 1.0 leave the column of an older
// file alone.
func (w *planWriter) senderCell(m message) any {
	if w.db.Schema().Has(data.AnchorTrustTable) {
		return nil
	}
	return orNull(m.Sender)
}
