package trash

import (
	"context"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
)

// keptMessage is a message of the trash beside the one of the database.
type keptMessage struct {
	id            int64
	missing, same bool
	present       data.Text // The present text, if it may be a stub.
	role          data.Text
	seq           any
	bytes         data.Integer
	isStub        bool // The text in the trash is a stub itself.
	// digest is that of the text by which the prune replaced this one, and files are the ids of its
	// files as JSON; both are empty where it was a stub.
	digest, files data.Text
	namesFiles    bool // The present row names them.
}

const keptMessagesSQL = `SELECT s.message_id, m.message_id IS NULL, m.content IS s.content,
	CASE WHEN substr(m.content, 1, length(?4)) = ?4 OR r.message_id IS NOT NULL THEN m.content END, s.role, s.seq, octet_length(s.content),
	substr(s.content, 1, length(?4)) = ?4, r.digest, r.files, r.message_id IS NOT NULL AND ` + namesFiles + `
	FROM % LEFT JOIN main.messages m ON m.message_id = s.message_id
	WHERE s.conversation_id = ?1 AND s.seq > ?2 ORDER BY s.seq LIMIT ?3`

// readKept reads the next messages of a conversation after a seq, at most limit.
func readKept(ctx context.Context, read rowReader, from *data.Schema, conversation int64, last any, limit int) (some []keptMessage, err error) {
	query := strings.Replace(keptMessagesSQL, "%", withReplacements(from), 1)
	err = read(ctx, query, []any{conversation, last, limit, data.ForgottenPrefix}, func(scan data.RowScanner) error {
		var m keptMessage
		err := scan(&m.id, &m.missing, &m.same, &m.present, &m.role, &m.seq, &m.bytes, &m.isStub, &m.digest, &m.files, &m.namesFiles)
		some = append(some, m)
		return err
	})
	return some, err
}

// rowReader calls fn with every row of a query.
type rowReader func(ctx context.Context, query string, args []any, fn func(data.RowScanner) error) error

// fate is what a restore does with a message of the trash.
type fate int

const (
	messageLost      fate = iota // Its row is gone, and the file has only texts.
	messageMissing               // It comes back.
	messageSame                  // Its text is there already.
	messageElsewhere             // Another file of the trash has its text.
	messageChanged               // It was changed since, and stays.
	messageForgotten             // Its text comes back.
)

// fate says what a restore does with the message; conversations says that the file has the rows of
// conversations.
func (m keptMessage) fate(conversations bool) fate {
	switch {
	case m.missing && !conversations:
		return messageLost
	case m.missing:
		return messageMissing
	case m.same && !m.isReplaced():
		return messageSame
	case m.isStub:
		return messageElsewhere
	case !m.isOurStub() && !m.isReplaced():
		return messageChanged
	}
	return messageForgotten
}

// restoreMessages puts the next messages of a conversation back. It reports whether there are
// more.
func (w *restorer) restoreMessages(ctx context.Context, t *change.Turn, conversation int64) (more bool, err error) {
	some, err := readKept(ctx, t.EachRow, w.from, conversation, w.present.last, restoreStep)
	if err != nil {
		return false, err
	}
	var texts []int64 // Those that come back.
	for _, m := range some {
		w.present.last = m.seq
		w.done++
		if m.fate(w.restore.File.RemovesConversations()) == messageForgotten {
			texts = append(texts, m.id)
		}
		if err := w.restoreMessage(ctx, t, m); err != nil {
			return false, err
		}
	}
	if _, err := t.GiveUp(ctx, staleReason, texts); err != nil {
		return false, err
	}
	t.Wrote(len(some))
	return len(some) == restoreStep, nil
}

// restoreMessage puts one message or its text back.
func (w *restorer) restoreMessage(ctx context.Context, t *change.Turn, m keptMessage) error {
	switch m.fate(w.restore.File.RemovesConversations()) {
	case messageLost:
		w.result.Lost++
		return nil
	case messageMissing:
		if err := checkPlace(ctx, t.EachRow, w.from, m.id); err != nil {
			return err
		}
		w.result.Messages++
		w.present.restored++
		if _, err := w.insert(ctx, t, "messages", "s.message_id = ?1", m.id); err != nil {
			return err
		}
		if _, err := w.insert(ctx, t, "message_parts", "s.message_id = ?1", m.id); err != nil {
			return err
		}
		return w.index(ctx, t, m)
	case messageSame:
		return w.restoreParts(ctx, t, m.id, false)
	case messageElsewhere:
		return nil
	case messageChanged:
		w.result.Changed++
		return nil
	}
	return w.restoreText(ctx, t, m)
}

// restoreText puts the text of a message back.
func (w *restorer) restoreText(ctx context.Context, t *change.Turn, m keptMessage) error {
	w.result.Texts++
	w.present.restored++
	const content = "UPDATE main.messages SET content = (SELECT s.content FROM trash.messages s WHERE s.message_id = ?1) WHERE message_id = ?1"
	if _, err := t.Exec(ctx, content, m.id); err != nil {
		return err
	}
	if err := w.restoreParts(ctx, t, m.id, true); err != nil {
		return err
	}
	if err := w.removeFileRows(ctx, t, string(m.files)); err != nil {
		return err
	}
	if err := w.restoreEntry(ctx, t, m.id); err != nil {
		return err
	}
	return w.index(ctx, t, m)
}

// isReplaced reports whether the present text is the one by which the prune replaced the text in
// the trash.
func (m keptMessage) isReplaced() bool {
	return m.namesFiles && ContentDigest(string(m.present)) == string(m.digest)
}

// isOurStub reports whether the present text is the stub of the text in the trash.
func (m keptMessage) isOurStub() bool {
	f, ok := data.ParseForgotten(string(m.present))
	return ok && f.Role == string(m.role) && f.Seq == data.CellInteger(m.seq) && f.Bytes == int64(m.bytes)
}

// index adds the text of a message to the search table.
func (w *restorer) index(ctx context.Context, t *change.Turn, m keptMessage) error {
	if !t.Schema().Searchable(data.MessageIndex) {
		return nil
	}
	var content any
	if err := t.EachRow(ctx, "SELECT content FROM trash.messages WHERE message_id = ?", []any{m.id}, func(scan data.RowScanner) error { return scan(&content) }); err != nil {
		return err
	}
	if content = data.IndexedText(data.MessageIndex, content); content == nil {
		return nil
	}
	if _, err := t.Exec(ctx, "DELETE FROM main."+data.MessageIndex+" WHERE rowid = ?", m.id); err != nil {
		return err
	}
	_, err := t.Exec(ctx, "INSERT INTO main."+data.MessageIndex+" (rowid, content) VALUES (?, ?)", m.id, content)
	return err
}

// restoreParts gives the parts of a message their cells back: all of them, or those of parts
// that a stub stands in.
func (w *restorer) restoreParts(ctx context.Context, t *change.Turn, message int64, all bool) error {
	columns := slices.DeleteFunc(w.from.Columns("message_parts"), func(c string) bool { return c == "part_id" || c == "message_id" || c == "ordinal" })
	if len(columns) == 0 {
		return nil
	}
	where := ""
	args := []any{message}
	if !all {
		var some []string
		for _, c := range []string{"text_content", "tool_input", "tool_output"} {
			if slices.Contains(columns, c) {
				some = append(some, "substr(main.message_parts."+c+", 1, length(?2)) = ?2")
			}
		}
		where = " AND (" + strings.Join(some, " OR ") + ")"
		args = append(args, data.ForgottenPrefix)
	}
	query := "UPDATE main.message_parts SET (" + names("", columns) + ") = (SELECT " + names("s.", columns) +
		" FROM trash.message_parts s WHERE s.part_id = main.message_parts.part_id) WHERE message_id = ?1 AND part_id IN (SELECT part_id FROM trash.message_parts WHERE message_id = ?1)" + where
	_, err := t.Exec(ctx, query, args...)
	return err
}
