package data

import (
	"context"
	"strings"
)

// Conversation is a row of conversations. What the file's level lacks is zero,
// except Active, which is true for files that know no archive.
type Conversation struct {
	ID           int64  `json:"conversation_id"`
	SessionID    string `json:"session_id"`
	SessionKey   string `json:"session_key"`
	Title        string `json:"title"`
	Active       bool   `json:"active"`
	ArchivedAt   Time   `json:"archived_at"`
	ArchiveCause string `json:"archive_cause"`
	CreatedAt    Time   `json:"created_at"`
	UpdatedAt    Time   `json:"updated_at"`
}

// Name is what people call the conversation: its title, session key or id.
func (c Conversation) Name() string {
	switch {
	case c.Title != "":
		return c.Title
	case c.SessionKey != "":
		return c.SessionKey
	}
	return c.SessionID
}

// Agent is the agent in a session key of the shape agent:<agent>:…, or empty.
func (c Conversation) Agent() string {
	rest, ok := strings.CutPrefix(c.SessionKey, "agent:")
	if !ok {
		return ""
	}
	agent, _, _ := strings.Cut(rest, ":")
	return agent
}

// Lane is what kind of session a key of the shape agent:<agent>:<lane>:… is of: main, cron,
// subagent, or the channel that people write on. It is empty for keys of another shape.
func (c Conversation) Lane() string {
	words := strings.SplitN(c.SessionKey, ":", 4)
	if len(words) < 3 || words[0] != "agent" {
		return ""
	}
	return words[2]
}

// Conversations are all conversations, with or without messages, newest first.
func (db *DB) Conversations(ctx context.Context) ([]Conversation, error) {
	return db.conversations(ctx, "ORDER BY c.conversation_id DESC")
}

// Conversation is one conversation, or a NotFoundError.
func (db *DB) Conversation(ctx context.Context, id int64) (Conversation, error) {
	cs, err := db.conversations(ctx, "WHERE c.conversation_id = ?", id)
	if err != nil {
		return Conversation{}, err
	}
	if len(cs) == 0 {
		return Conversation{}, db.NotFound("conversation", id)
	}
	return cs[0], nil
}

func (db *DB) conversations(ctx context.Context, rest string, args ...any) ([]Conversation, error) {
	s := db.Schema()
	query := "SELECT c.conversation_id, " +
		s.exprs("conversations", "c", "session_id", "session_key", "title") + ", " +
		s.expr("conversations", "c", "active", "1") + ", " +
		s.exprs("conversations", "c", "archived_at", "archive_cause", "created_at", "updated_at") +
		" FROM conversations c " + rest
	return Collect(ctx, db, "read conversations", query, args, func(scan RowScanner, c *Conversation) error {
		var active Integer
		err := scan((*Integer)(&c.ID), (*Text)(&c.SessionID), (*Text)(&c.SessionKey), (*Text)(&c.Title),
			&active, &c.ArchivedAt, (*Text)(&c.ArchiveCause), &c.CreatedAt, &c.UpdatedAt)
		c.Active = active != 0
		return err
	})
}

// ConversationsNamed returns the conversations that a name stands for, newest first: those
// with this session key, else those whose key begins with it, else the same by session id.
// Case matters, as it does to hosts.
func (db *DB) ConversationsNamed(ctx context.Context, name string) ([]Conversation, error) {
	for _, column := range []string{"session_key", "session_id"} {
		if name == "" || !db.Schema().Has("conversations", column) {
			continue
		}
		for _, where := range []string{"c." + column + " = ?1", "substr(c." + column + ", 1, length(?1)) = ?1"} {
			found, err := db.conversations(ctx, "WHERE "+where+" ORDER BY c.conversation_id DESC", name)
			if err != nil || len(found) > 0 {
				return found, err
			}
		}
	}
	return nil, nil
}

// RawConversation is a row of conversations with its cells as they are stored.
type RawConversation struct {
	ID         int64
	Session    string
	Title      Stored
	Key        Stored // From 0.4.0.
	Active     Number // From 0.6.0; 1 before.
	ArchivedAt Stored // From 0.6.0.
	Cause      string // From 0.14.0.
	CreatedAt  Time
}

// RawConversations are all conversations in the order of their ids.
func (db *DB) RawConversations(ctx context.Context) ([]RawConversation, error) {
	s := db.Schema()
	if !s.hasCore("conversations") {
		return nil, nil
	}
	query := "SELECT c.conversation_id, " + s.stored("conversations", "c", "session_id title session_key") + ", " +
		s.expr("conversations", "c", "active", "1") + ", " + s.stored("conversations", "c", "archived_at archive_cause created_at") +
		" FROM conversations c ORDER BY 1"
	return Collect(ctx, db, "read conversations", query, nil, func(scan RowScanner, c *RawConversation) error {
		return scan((*Integer)(&c.ID), (*Text)(&c.Session), &c.Title, &c.Key, &c.Active, &c.ArchivedAt, (*Word)(&c.Cause), &c.CreatedAt)
	})
}

// HasMessages reports whether a conversation has messages.
func (db *DB) HasMessages(ctx context.Context, conv int64) (bool, error) {
	if !db.Schema().hasCore("messages") {
		return false, nil
	}
	var n Integer
	return One(ctx, db, "read messages", "SELECT 1 FROM messages WHERE conversation_id = ? LIMIT 1", []any{conv}, &n)
}
