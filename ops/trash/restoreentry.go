package trash

import (
	"context"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/hint"
)

// staleReason is why pending batches become stale, in words for the log of a host.
const staleReason = "texts were restored by lcm-tui"

// restoreEntry gives a message of a file of 1.0 whose text is back the entry of the transcript and the trust row
// that a prune took off it, unless it names another entry now or another row of the conversation names this one: then the
// host has stored that. A message without an entry gets back the trust row alone.
func (w *restorer) restoreEntry(ctx context.Context, t *change.Turn, message int64) error {
	if !w.from.Has(data.AnchorTrustTable, "message_id") || !t.Schema().Has(data.AnchorTrustTable) || !w.from.Has("messages", "transcript_entry_id") {
		return nil
	}
	const entry = `UPDATE main.messages SET transcript_entry_id = (SELECT s.transcript_entry_id FROM trash.messages s WHERE s.message_id = ?1)
		WHERE message_id = ?1 AND transcript_entry_id IS NULL AND NOT EXISTS (SELECT 1 FROM trash.messages s JOIN main.messages o
			ON o.conversation_id = s.conversation_id AND o.transcript_entry_id = s.transcript_entry_id WHERE s.message_id = ?1)
		AND EXISTS (SELECT 1 FROM trash.messages s WHERE s.message_id = ?1 AND s.transcript_entry_id IS NOT NULL)`
	n, err := t.Exec(ctx, entry, message)
	if err != nil {
		return err
	}
	columns, insert, where := names("", w.from.Columns(data.AnchorTrustTable)), "REPLACE", ""
	if n == 0 { // The host may have distrusted it before the prune already: then it had a trust row and no entry.
		insert, where = "IGNORE", ` AND EXISTS (SELECT 1 FROM trash.messages s JOIN main.messages m ON m.message_id = s.message_id
			WHERE s.message_id = ?1 AND s.transcript_entry_id IS NULL AND m.transcript_entry_id IS NULL)`
	}
	_, err = t.Exec(ctx, "INSERT OR "+insert+" INTO main."+data.AnchorTrustTable+" ("+columns+") SELECT "+columns+" FROM trash."+data.AnchorTrustTable+" WHERE message_id = ?1"+where, message)
	return err
}

// places are the columns of a message that no two of a conversation share, with what they are in words.
var places = []struct{ column, what string }{
	{"transcript_entry_id", "names the same entry of the transcript"},
	{"stable_event_key", "is the same answer or result"},
	{"seq", "has the same number"},
}

// checkPlace fails where a message that is missing can't come back, since another one of the conversation has
// taken its place: a host stored it again.
func checkPlace(ctx context.Context, read rowReader, from *data.Schema, message int64) error {
	for _, p := range places {
		if !from.Has("messages", p.column) {
			continue
		}
		query := "SELECT o.message_id, o.conversation_id FROM trash.messages s JOIN main.messages o ON o.conversation_id = s.conversation_id AND o." + p.column + " = s." + p.column +
			" WHERE s.message_id = ?1 AND o.message_id <> s.message_id"
		err := read(ctx, query, []any{message}, func(scan data.RowScanner) error {
			var other, conversation int64
			if err := scan(&other, &conversation); err != nil {
				return err
			}
			return hint.New(fmt.Sprintf("message %d can't come back into conversation %d: message %d %s", message, conversation, other, p.what),
				"the host has stored it again; restore the other conversations of the file with --conv, or read the file with lcm-tui transplant --from")
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkPlaces fails as checkPlace does for any missing message of some conversations.
func checkPlaces(ctx context.Context, read rowReader, from *data.Schema, conversations []int64) error {
	var missing []int64
	const query = `SELECT s.message_id, s.conversation_id FROM trash.messages s JOIN main.conversations c ON c.conversation_id = s.conversation_id
		WHERE s.message_id NOT IN (SELECT message_id FROM main.messages) ORDER BY 1`
	err := read(ctx, query, nil, func(scan data.RowScanner) error {
		var message, conversation int64
		err := scan(&message, &conversation)
		if slices.Contains(conversations, conversation) {
			missing = append(missing, message)
		}
		return err
	})
	for _, m := range missing {
		if err == nil {
			err = checkPlace(ctx, read, from, m)
		}
	}
	return err
}
