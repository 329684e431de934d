package fakehost

import (
	"fmt"
	"strings"
	"time"

	"lcm-tui/engine/identity"
	"lcm-tui/internal/lazyregexp"
)

// Message is a message to write.
type Message struct {
	Role         string    // system, user, assistant or tool
	Content      string    // empty for a message that is all tool calls
	Tokens       int       // 0: the estimate of what the engine would send to the model
	At           time.Time // zero: a minute after the newest row
	Parts        []Part    // nil: one text part of Content; empty: none
	EntryID      string    // transcript entry, where the level knows it
	EventKey     string    // by which the host knows it again; empty: as its part says
	LargeContent string    // id of the file that holds the whole content, where the level knows it
	NoContext    bool      // leaves the message out of the context
	HandedOver   string    // what the agent hands over, where the host stores another text: a payload went into a file
}

// Message appends a message to a conversation and to its context, and returns its number.
func (h *Writer) Message(conv int64, m Message) (id int64, err error) {
	err = h.Tx(func(h *Writer) error {
		id, err = h.message(conv, m)
		return err
	})
	return id, err
}

func (h *Writer) message(conv int64, m Message) (int64, error) {
	session, err := h.session(conv)
	if err != nil {
		return 0, err
	}
	var seq int64
	if err := h.one(&seq, "SELECT COALESCE(MAX(seq), 0) + 1 FROM messages WHERE conversation_id = ?", conv); err != nil {
		return 0, err
	}
	parts := h.completeParts(m)
	if m.Tokens == 0 {
		m.Tokens = h.estimateMessage(m, parts)
	}
	key, err := h.eventKey(conv, m, parts)
	if err != nil {
		return 0, err
	}
	at := h.at(m.At).Format(Seconds)
	id, err := h.insert("messages",
		cell{"conversation_id", conv}, cell{"seq", seq}, cell{"role", m.Role}, cell{"content", m.Content},
		cell{"token_count", m.Tokens}, cell{"identity_hash", IdentityHash(m.Role, m.Content)}, cell{"created_at", at},
		cell{"transcript_entry_id", null(m.EntryID)}, cell{"large_content", null(m.LargeContent)}, cell{"stable_event_key", key})
	if err != nil {
		return 0, err
	}
	if err := h.indexMessage(id, m.Content); err != nil {
		return 0, err
	}
	for i, p := range parts {
		if err := h.part(id, session, i, p); err != nil {
			return 0, err
		}
	}
	if m.NoContext {
		return id, nil
	}
	return id, h.appendItem(conv, "message", id, at)
}

// indexMessage keeps the full-text index in step; blank content is not indexed.
func (h *Writer) indexMessage(id int64, content string) error {
	if strings.TrimSpace(content) == "" {
		return nil
	}
	_, err := h.insert("messages_fts", cell{"rowid", id}, cell{"content", indexed(content)})
	return err
}

// indexed returns the text that the engine indexes: a reference to a file goes in without
// the line that tells the model how to open it.
func indexed(content string) string {
	if !strings.HasPrefix(content, "[LCM File:") && !strings.HasPrefix(content, "[LCM Tool Output:") {
		return content
	}
	var keep []string
	for line := range strings.Lines(content) {
		if !strings.HasPrefix(line, "Use lcm_describe") && !strings.HasPrefix(line, "Call lcm_describe") {
			keep = append(keep, line)
		}
	}
	return strings.TrimRight(strings.Join(keep, ""), "\n")
}

// stableCallID matches the tool call ids by which the engine knows a result again.
var stableCallID = lazyregexp.New(`^(?:toolu_|call_)[A-Za-z0-9]{12,}$`)

// eventKey returns the stable key of a message, nil when it has none or it is taken.
func (h *Writer) eventKey(conv int64, m Message, parts []Part) (any, error) {
	key := m.EventKey
	if key == "" && m.Role == "tool" && len(parts) == 1 && stableCallID.MatchString(parts[0].ToolCallID) {
		key = "tool-result:" + parts[0].ToolCallID
	}
	if key == "" || !h.Has("messages", "stable_event_key") {
		return nil, nil
	}
	var taken int
	if err := h.one(&taken, "SELECT count(*) FROM messages WHERE conversation_id = ? AND stable_event_key = ?", conv, key); err != nil {
		return nil, fmt.Errorf("look for event key: %w", err)
	}
	if taken > 0 {
		return nil, nil
	}
	return key, nil
}

// fileReference matches what stands in a stored text for a payload that the host moved into a file:
// a picture, a user's file, the output of a tool, or a whole message.
var fileReference = lazyregexp.New(`\| LCM file: file_[0-9a-f]{16}\]|\[LCM (?:File|Tool Output|Raw Payload): file_[0-9a-f]{16} \|`)

// handedOver returns the text that an agent hands over of a message that is stored with this text. Of a
// message with a payload in a file that is another text, with the payload, so that no row has its hash.
func handedOver(stored string) string {
	return fileReference.ReplaceAllString(stored, "[payload")
}

// handedIdentity returns the hash of what an agent hands over of a message.
func (m Message) handedIdentity() string {
	if m.HandedOver != "" {
		return identity.Hash(m.Role, m.HandedOver)
	}
	return identity.Hash(m.Role, m.Content)
}
