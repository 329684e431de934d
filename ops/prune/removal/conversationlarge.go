package removal

import (
	"context"
	"fmt"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
)

// largeRemoval deletes a conversation in several turns. Each leaves a conversation that a host
// can read: archived, then without texts, then without context and summaries, then with
// fewer messages.
type largeRemoval struct {
	unknownSessions []string
	conversation    int64
	newest          int64 // The newest message that the plan saw.
	stage           largeStage
	last            any // The seq of the last message whose text was removed.
}

type largeStage int

const (
	stageArchive largeStage = iota
	stageTexts
	stageLinks
	stageMessages
)

// write goes on until the turn is full, and reports whether the conversation is gone.
func (l *largeRemoval) write(ctx context.Context, t *change.Turn) (finished bool, err error) {
	if err := l.checkNewest(ctx, t); err != nil {
		return false, err
	}
	for !t.Full() && !finished && err == nil {
		switch l.stage {
		case stageArchive:
			err = l.archive(ctx, t)
			l.stage = stageTexts
		case stageTexts:
			err = l.removeTexts(ctx, t)
		case stageLinks:
			err = l.removeLinks(ctx, t)
			l.stage = stageMessages
		case stageMessages:
			finished, err = l.removeMessages(ctx, t)
		}
	}
	return finished, err
}

// checkNewest fails where a message came since the plan: the trash doesn't have it.
func (l *largeRemoval) checkNewest(ctx context.Context, t *change.Turn) error {
	const query = "SELECT 1 FROM messages WHERE conversation_id = ? AND message_id > ? LIMIT 1"
	return t.EachRow(ctx, query, []any{l.conversation, l.newest}, func(data.RowScanner) error {
		return &data.StaleError{What: fmt.Sprintf("conversation %d", l.conversation), Why: "has other messages than the plan saw"}
	})
}

// archive ends the conversation, so that no host goes on in what is left of it, and deletes what one
// prepared of it.
func (l *largeRemoval) archive(ctx context.Context, t *change.Turn) error {
	if err := (&deleter{turn: t}).run(ctx, l.conversation, pending); err != nil {
		return err
	}
	if !t.Schema().Has("conversations", "active") {
		return nil
	}
	set := "active = 0"
	args := []any{l.conversation}
	if t.Schema().Has("conversations", "archived_at") {
		set += ", archived_at = coalesce(archived_at, ?2)"
		args = append(args, data.FormatTime(t.Now()))
	}
	_, err := t.Exec(ctx, "UPDATE conversations SET "+set+" WHERE conversation_id = ?1 AND active <> 0", args...)
	return err
}

// storedText is a message whose text is removed.
type storedText struct {
	id      int64
	seq     any
	role    string
	at      data.Time
	content string
}

// removeTexts puts stubs in the place of the next texts.
func (l *largeRemoval) removeTexts(ctx context.Context, t *change.Turn) error {
	var some []storedText
	const query = "SELECT message_id, seq, role, created_at, content FROM messages WHERE conversation_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3"
	err := t.EachRow(ctx, query, []any{l.conversation, l.last, stepMessages}, func(scan data.RowScanner) error {
		var m storedText
		err := scan(&m.id, &m.seq, (*data.Text)(&m.role), &m.at, (*data.Text)(&m.content))
		some = append(some, m)
		return err
	})
	if err != nil {
		return err
	}
	for _, m := range some {
		l.last = m.seq
		if data.IsForgotten(m.content) {
			continue
		}
		if err := m.remove(ctx, t); err != nil {
			return err
		}
		t.Wrote(1)
	}
	if len(some) < stepMessages {
		l.stage = stageLinks
	}
	return nil
}

// remove puts a stub in the place of the text.
func (m storedText) remove(ctx context.Context, t *change.Turn) error {
	if t.Schema().Searchable(data.MessageIndex) {
		if _, err := t.Exec(ctx, "DELETE FROM "+data.MessageIndex+" WHERE rowid = ?", m.id); err != nil {
			return err
		}
	}
	var files []string
	lcm.EachFileID(m.content, func(_ int, id string) { files = append(files, id) })
	var at time.Time
	if !m.at.Null {
		at = m.at.Time
	}
	stub := data.ForgottenText(m.role, data.CellInteger(m.seq), at, int64(len(m.content)), files)
	if _, err := t.Exec(ctx, "UPDATE messages SET content = ? WHERE message_id = ?", stub, m.id); err != nil {
		return err
	}
	const parts = "UPDATE message_parts SET text_content = CASE ordinal WHEN 0 THEN ?1 END, tool_input = NULL, tool_output = NULL, metadata = '{}' WHERE message_id = ?2"
	_, err := t.Exec(ctx, parts, stub, m.id)
	return err
}

// removeLinks deletes the context and the summaries.
func (l *largeRemoval) removeLinks(ctx context.Context, t *change.Turn) error {
	d, err := newDeleter(ctx, t, []change.ConversationGuard{{Conversation: l.conversation}})
	if err != nil {
		return err
	}
	if err := d.run(ctx, l.conversation, slices.Concat(d.unknown, pending, links)); err != nil {
		return err
	}
	return d.removeSummaries(ctx, l.conversation)
}

// removeMessages deletes the next messages, and with the last ones what is left of the
// conversation.
func (l *largeRemoval) removeMessages(ctx context.Context, t *change.Turn) (finished bool, err error) {
	some := "(SELECT message_id FROM messages WHERE conversation_id = ?1 ORDER BY seq LIMIT ?2)"
	if t.Schema().Searchable(data.MessageIndex) {
		if _, err := t.Exec(ctx, "DELETE FROM "+data.MessageIndex+" WHERE rowid IN "+some, l.conversation, stepMessages); err != nil {
			return false, err
		}
	}
	for _, table := range []string{"message_parts", data.AnchorTrustTable} {
		if !t.Schema().Has(table) {
			continue
		}
		if _, err := t.Exec(ctx, "DELETE FROM "+table+" WHERE message_id IN "+some, l.conversation, stepMessages); err != nil {
			return false, err
		}
	}
	n, err := t.Exec(ctx, "DELETE FROM messages WHERE message_id IN "+some, l.conversation, stepMessages)
	if err != nil {
		return false, err
	}
	t.Wrote(int(n))
	if n == stepMessages {
		return false, nil
	}
	d := &deleter{turn: t, unknownSessions: l.unknownSessions}
	return true, d.removeRest(ctx, l.conversation)
}
