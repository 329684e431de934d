package removal

import (
	"context"
	"encoding/json"

	"lcm-tui/data"
	"lcm-tui/data/change"
)

// A part of a text has the text twice: in text_content and, as the host received it, at the end of
// metadata. copyOf is that end, rendered from text_content as JavaScript writes it. Only where it
// is what stands there byte for byte, the copy is dropped: then it can be written again.
const (
	// JSON holds no bytes, which json_quote refuses.
	copyOf = `('"raw":{"type":"text","text":' || json_quote(CASE typeof(p.text_content) WHEN 'blob' THEN NULL ELSE p.text_content END) || '}}')`
	// withoutCopy is the metadata without it, and also without the comma before.
	withoutCopy = `(rtrim(substr(p.metadata, 1, length(p.metadata) - length(` + copyOf + `)), ',') || '}')`
	// lacksCopy says that a copy can be written again.
	lacksCopy = `(p.part_type = 'text' AND typeof(p.text_content) = 'text' AND typeof(p.metadata) = 'text'
		AND CASE WHEN json_valid(p.metadata) THEN json_type(p.metadata) = 'object' AND json_type(p.metadata, '$.raw') IS NULL END
		AND substr(p.text_content, 1, length('` + data.ForgottenPrefix + `')) <> '` + data.ForgottenPrefix + `')`
)

// hasCopy says that a part has a copy that can be dropped and written again.
var hasCopy = `(p.part_type = 'text' AND typeof(p.text_content) = 'text' AND typeof(p.metadata) = 'text'
		AND substr(p.metadata, -length(` + copyOf + `)) = ` + copyOf + `
		AND substr(p.metadata, -length(` + copyOf + `) - 1, 1) IN (',', '{')
		AND CASE WHEN json_valid(` + withoutCopy + `) THEN json_type(` + withoutCopy + `, '$.raw') IS NULL AND ` + withCopyOf(withoutCopy) + ` = p.metadata END)`

// withCopyOf returns metadata with the copy again.
func withCopyOf(metadata string) string {
	return `(substr(` + metadata + `, 1, length(` + metadata + `) - 1) || CASE ` + metadata + ` WHEN '{}' THEN '' ELSE ',' END || ` + copyOf + `)`
}

// messagesWithCopies selects, of a list, messages of which every part is a text and some have a copy: where a part
// of another kind stands beside it, hosts read the copy.
var messagesWithCopies = `SELECT j.value FROM json_each(?) j CROSS JOIN message_parts p ON p.message_id = j.value
	GROUP BY j.value HAVING count(*) = sum(p.part_type = 'text') AND sum(ifnull(` + hasCopy + `, 0)) > 0`

// Amount is how many rows and bytes.
type Amount struct{ Rows, Bytes int64 }

// partsWithCopyOf selects parts of texts with the end that their metadata has if it has a copy. LIMIT keeps SQLite from
// making the end again in every condition, and bytes are compared because finding characters from
// the end of a long text takes five times as long.
const partsWithCopyOf = `SELECT p.message_id, p.part_type = 'text' AS text, p.part_type = 'text' AND typeof(p.text_content) = 'text' AND typeof(p.metadata) = 'text' AS texts,
	CAST(p.metadata AS BLOB) AS metadata, CAST(` + copyOf + ` AS BLOB) AS copy FROM message_parts p LIMIT -1 OFFSET 0`

// partsWithoutCopy selects parts with what their metadata has before the copy, empty where there is
// no copy.
const partsWithoutCopy = `SELECT message_id, text, copy, CASE WHEN texts AND substr(metadata, -length(copy)) = copy
	THEN CAST(substr(metadata, 1, length(metadata) - length(copy)) AS TEXT) ELSE '' END AS before FROM (` + partsWithCopyOf + `) LIMIT -1 OFFSET 0`

// isCopyDroppable is hasCopy of a part of partsWithoutCopy.
const isCopyDroppable = `(CASE WHEN before = '{' THEN 1 WHEN before = rtrim(before, ',') || ',' AND before <> '{,' AND json_valid(rtrim(before, ',') || '}')
	THEN json_type(rtrim(before, ',') || '}') = 'object' AND json_type(rtrim(before, ',') || '}', '$.raw') IS NULL ELSE 0 END)`

const countCopiesSQL = `SELECT m.conversation_id, sum(x.good), sum(x.bytes) FROM (
	SELECT message_id, count(*) AS parts, sum(text) AS texts, sum(good) AS good, sum(CASE WHEN good THEN length(copy) ELSE 0 END) AS bytes
	FROM (SELECT message_id, text, copy, ` + isCopyDroppable + ` AS good FROM (` + partsWithoutCopy + `) LIMIT -1 OFFSET 0) GROUP BY message_id) x
	JOIN messages m ON m.message_id = x.message_id WHERE x.parts = x.texts AND x.good > 0 GROUP BY m.conversation_id`

// CountCopies counts, by conversation, the parts whose copy of their text can be dropped, and its
// bytes.
func CountCopies(ctx context.Context, db *data.DB) (map[int64]Amount, error) {
	out := map[int64]Amount{}
	if !db.Schema().Has("message_parts", "part_type", "text_content", "metadata") {
		return out, nil
	}
	err := db.EachRow(ctx, "count copies", countCopiesSQL, nil, func(scan data.RowScanner) error {
		var conv, rows, bytes data.Integer
		err := scan(&conv, &rows, &bytes)
		out[int64(conv)] = Amount{int64(rows), int64(bytes)}
		return err
	})
	return out, err
}

// messagesPerStatement is how many messages a statement of a turn writes: after each it is seen
// whether the turn is full.
const messagesPerStatement = 100

// CopyWriter drops the copies of texts in some conversations.
type CopyWriter struct {
	guarded
	db    *data.DB
	list  string // The conversations as JSON.
	total int64  // Parts.

	after   int64   // The last message that was looked at.
	waiting []int64 // Messages for the next turns.
	over    bool    // There are no more after them.
}

// NewCopyWriter writes for conversations as they were planned, so many parts in all.
func NewCopyWriter(db *data.DB, guards []change.ConversationGuard, total int64) (*CopyWriter, error) {
	w := &CopyWriter{db: db, guarded: newGuarded(guards), total: total}
	ids := make([]int64, 0, len(guards))
	for _, g := range guards {
		ids = append(ids, g.Conversation)
	}
	list, err := json.Marshal(ids)
	w.list = string(list)
	return w, err
}

const nextMessagesSQL = `SELECT message_id FROM messages WHERE message_id > ?1 AND conversation_id IN (SELECT value FROM json_each(?2)) ORDER BY message_id LIMIT ?3`

// Prepare finds the messages of the next turn.
func (w *CopyWriter) Prepare(ctx context.Context) error {
	for len(w.waiting) < change.MaxTurnRows && !w.over {
		var some []int64
		err := w.db.EachRow(ctx, "read messages", nextMessagesSQL, []any{w.after, w.list, change.MaxTurnRows}, func(scan data.RowScanner) error {
			some = append(some, 0)
			return scan(&some[len(some)-1])
		})
		if err != nil {
			return err
		}
		if w.over = len(some) < change.MaxTurnRows; len(some) == 0 {
			break
		}
		w.after = some[len(some)-1]
		err = w.db.EachRow(ctx, "read parts", messagesWithCopies, []any{list(some)}, func(scan data.RowScanner) error {
			var id int64
			err := scan(&id)
			w.waiting = append(w.waiting, id)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Write drops copies until the turn is full, and notes the messages.
func (w *CopyWriter) Write(ctx context.Context, t *change.Turn) (done bool, err error) {
	written, parts, without := map[int64]bool{}, int64(0), []string{}
	for len(w.waiting) > 0 && !t.Full() {
		chunk := w.waiting[:min(len(w.waiting), messagesPerStatement)]
		same, err := w.unchanged(ctx, t, chunk)
		if err != nil {
			return false, err
		}
		still, err := stillWithCopies(ctx, t, same)
		if err != nil {
			return false, err
		}
		without, err = addPartsWithout(ctx, t, without, still)
		if err != nil {
			return false, err
		}
		for _, id := range still {
			n, err := t.Exec(ctx, dropCopySQL, id)
			if err != nil {
				return false, err
			}
			written[id] = true
			parts += n
			w.written++
		}
		w.waiting = w.waiting[len(chunk):]
		t.Wrote(len(chunk))
	}
	if err := t.Note(ctx, copyNote{Messages: change.FormatRanges(written), Without: without}); err != nil {
		return false, err
	}
	t.Progress(t.Done()+parts, w.total, "parts")
	if !w.over || len(w.waiting) > 0 {
		return false, nil
	}
	return true, w.checkWritten(0)
}

// Warn names the conversations that were left as they are.
func (w *CopyWriter) Warn() { w.warn(w.db) }

// dropCopySQL drops the copies of one message.
var dropCopySQL = "UPDATE message_parts AS p SET metadata = " + withoutCopy + " WHERE p.message_id = ? AND " + hasCopy

// stillWithCopies returns the messages of a list whose copies can still be dropped.
func stillWithCopies(ctx context.Context, t *change.Turn, messages []int64) (out []int64, err error) {
	err = t.EachRow(ctx, messagesWithCopies, []any{list(messages)}, func(scan data.RowScanner) error {
		var id int64
		err := scan(&id)
		out = append(out, id)
		return err
	})
	return out, err
}

// copyNote is what a turn notes for its undo.
type copyNote struct {
	Messages string `json:"messages"` // As ranges.
	// Without are parts of these messages that had no copy, and look as if theirs had been dropped.
	Without []string `json:"without,omitempty"`
}

// addPartsWithout adds the parts of messages that have no copy before any is dropped, and could be given one.
func addPartsWithout(ctx context.Context, t *change.Turn, to []string, messages []int64) ([]string, error) {
	query := "SELECT p.part_id FROM json_each(?) j CROSS JOIN message_parts p ON p.message_id = j.value WHERE " + lacksCopy
	err := t.EachRow(ctx, query, []any{list(messages)}, func(scan data.RowScanner) error {
		var id data.Text
		err := scan(&id)
		to = append(to, string(id))
		return err
	})
	return to, err
}

// unchanged returns the messages of a list whose conversations are as they were planned.
func (w *CopyWriter) unchanged(ctx context.Context, t *change.Turn, messages []int64) (out []int64, err error) {
	of := map[int64]int64{}
	err = t.EachRow(ctx, "SELECT message_id, conversation_id FROM messages WHERE message_id IN (SELECT value FROM json_each(?))", []any{list(messages)}, func(scan data.RowScanner) error {
		var id, conversation int64
		err := scan(&id, &conversation)
		of[id] = conversation
		return err
	})
	for _, id := range messages {
		conversation, isThere := of[id]
		if err != nil || !isThere {
			continue
		}
		var same bool
		if same, err = w.check(ctx, t, conversation); same {
			out = append(out, id)
		}
	}
	return out, err
}

// list returns ids as JSON.
func list(ids []int64) string {
	text, err := json.Marshal(append([]int64{}, ids...))
	if err != nil {
		return "[]" // Numbers are always written.
	}
	return string(text)
}
