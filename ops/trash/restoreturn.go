package trash

import (
	"context"
	"fmt"
	"math"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
)

// restorer puts rows back turn by turn.
type restorer struct {
	restore       Restore
	from          *data.Schema // Of the trash file.
	result        RestoreResult
	conversations []int64 // Those that are left, the present one first.
	total, done   int64   // Messages.
	present       conversationState
	unused        []string // Paths of large files that no row names since their payloads are back.
}

// conversationState is how far a conversation is put back.
type conversationState struct {
	begun    bool
	missing  bool  // Its row isn't there, and a text has no place.
	last     any   // The seq of the last message that was looked at.
	restored int64 // Rows that were put back.
}

// restoreStep is how many messages are looked at before the time is.
const restoreStep = 100

// write puts back what fits into a turn.
func (w *restorer) write(ctx context.Context, t *change.Turn) (done bool, err error) {
	for len(w.conversations) > 0 && !t.Full() {
		id := w.conversations[0]
		if !w.present.begun {
			if err := w.beginConversation(ctx, t, id); err != nil {
				return false, err
			}
		}
		more, err := w.restoreMessages(ctx, t, id)
		if err != nil {
			return false, err
		}
		if more {
			continue
		}
		if w.restore.File.RemovesConversations() {
			if err := w.finishConversation(ctx, t, id); err != nil {
				return false, err
			}
		}
		w.conversations, w.present = w.conversations[1:], conversationState{}
	}
	t.Progress(w.done, w.total, "messages")
	if len(w.conversations) > 0 {
		return false, nil
	}
	return true, w.markUndone(ctx, t)
}

// markUndone marks the record of the prune as undone where all is put back.
func (w *restorer) markUndone(ctx context.Context, t *change.Turn) error {
	if len(w.restore.Conversations) > 0 || w.restore.File.Record == 0 {
		return nil
	}
	_, err := t.Exec(ctx, "UPDATE lcm_tui_undo SET undone_at = ? WHERE id = ? AND undone_at IS NULL", data.FormatTimeMillis(t.Now()), w.restore.File.Record)
	return err
}

// beginConversation puts the row of a conversation back where it is missing: archived, until
// all of it is there.
func (w *restorer) beginConversation(ctx context.Context, t *change.Turn, id int64) error {
	w.present = conversationState{begun: true, last: int64(math.MinInt64)}
	there, err := count(ctx, t, "SELECT count(*) FROM main.conversations WHERE conversation_id = ?", id)
	if err != nil || there > 0 {
		return err
	}
	if !w.restore.File.RemovesConversations() {
		w.present.missing = true
		return nil
	}
	columns := w.from.Columns("conversations")
	var values []string
	for _, c := range columns {
		value := "s." + data.QuoteName(c)
		switch c {
		case "active":
			value = "0"
		case "archived_at":
			value = "CASE WHEN s.active <> 0 THEN coalesce(s.archived_at, ?2) ELSE s.archived_at END"
		}
		values = append(values, value)
	}
	n, err := t.Exec(ctx, "INSERT INTO main.conversations ("+names("", columns)+") SELECT "+strings.Join(values, ", ")+
		" FROM trash.conversations s WHERE s.conversation_id = ?1 AND ?2 <> ''", id, data.FormatTime(t.Now()))
	if err != nil {
		return fmt.Errorf("restore conversation %d: %w", id, err)
	}
	w.present.restored += n
	w.result.Conversations += n
	return nil
}

// otherConversation has the key or the session of an active conversation of the trash, and is
// active itself.
const otherConversation = `EXISTS (SELECT 1 FROM main.conversations o, trash.conversations c WHERE c.conversation_id = ?1 AND c.active <> 0
	AND o.active <> 0 AND o.conversation_id <> c.conversation_id AND (o.session_key = c.session_key OR o.session_id = c.session_id))`

// finishConversation puts the rest of a conversation back, gives it its state, and puts the epoch of an archived one
// back.
func (w *restorer) finishConversation(ctx context.Context, t *change.Turn, id int64) error {
	if err := w.restoreRest(ctx, t, id); err != nil {
		return err
	}
	if err := w.restoreState(ctx, t, id); err != nil || w.present.restored == 0 || !w.from.Has(data.EpochTable) {
		return err
	}
	_, err := w.insert(ctx, t, data.EpochTable, ofConversation+" AND s.conversation_id IN (SELECT conversation_id FROM main.conversations WHERE active = 0)", id)
	return err
}

// restoreState gives a conversation the state that it had, or archives it where another one has its place.
func (w *restorer) restoreState(ctx context.Context, t *change.Turn, id int64) error {
	if w.present.restored == 0 || !w.from.Has("conversations", "active") {
		return nil
	}
	taken := int64(0)
	if w.from.Has("conversations", "session_key") {
		var err error
		if taken, err = count(ctx, t, "SELECT "+otherConversation, id); err != nil {
			return err
		}
	}
	if taken > 0 {
		w.result.Archived = append(w.result.Archived, id)
		if !w.from.Has("conversations", "archive_cause") {
			return nil
		}
		_, err := t.Exec(ctx, "UPDATE main.conversations SET archive_cause = coalesce(archive_cause, 'session-end') WHERE conversation_id = ?", id)
		return err
	}
	var sets []string
	for _, c := range []string{"active", "archived_at", "archive_cause"} {
		if w.from.Has("conversations", c) {
			sets = append(sets, c+" = c."+c)
		}
	}
	_, err := t.Exec(ctx, "UPDATE main.conversations SET "+strings.Join(sets, ", ")+" FROM trash.conversations c WHERE main.conversations.conversation_id = ?1 AND c.conversation_id = ?1", id)
	return err
}

// count returns the whole number that a query answers with.
func count(ctx context.Context, t *change.Turn, query string, args ...any) (n int64, err error) {
	err = t.EachRow(ctx, query, args, func(scan data.RowScanner) error { return scan(&n) })
	return n, err
}

// insert puts those rows of a table back that aren't there. The condition is about the alias s;
// ?1 and so on are its arguments.
func (w *restorer) insert(ctx context.Context, t *change.Turn, table, where string, args ...any) (int64, error) {
	columns := w.from.Columns(table)
	if len(columns) == 0 {
		return 0, nil
	}
	name := data.QuoteName(table)
	query := "INSERT INTO main." + name + " (" + names("", columns) + ") SELECT " + names("s.", columns) + " FROM trash." + name + " s WHERE " + where +
		" AND NOT EXISTS (SELECT 1 FROM main." + name + " m WHERE " + w.sameKey(table) + ")"
	n, err := t.Exec(ctx, query, args...)
	if err != nil {
		return 0, fmt.Errorf("restore rows of %s: %w", table, err)
	}
	return n, nil
}

// sameKey says that a row m of the database and a row s of the trash have the same key, or the same cells where there is none.
func (w *restorer) sameKey(table string) string {
	key := w.from.Key(table)
	if len(key) == 0 {
		key = w.from.Columns(table)
	}
	var same []string
	for _, k := range key {
		same = append(same, "m."+data.QuoteName(k)+" IS s."+data.QuoteName(k))
	}
	return strings.Join(same, " AND ")
}

// names returns columns under an alias.
func names(alias string, columns []string) string {
	out := make([]string, 0, len(columns))
	for _, c := range columns {
		out = append(out, alias+data.QuoteName(c))
	}
	return strings.Join(out, ", ")
}
