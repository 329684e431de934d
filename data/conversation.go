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
		return Conversation{}, db.notFound("conversation", id)
	}
	return cs[0], nil
}

func (db *DB) conversations(ctx context.Context, rest string, args ...any) ([]Conversation, error) {
	s := db.schema
	query := "SELECT c.conversation_id, " +
		s.exprs("conversations", "c", "session_id", "session_key", "title") + ", " +
		s.expr("conversations", "c", "active", "1") + ", " +
		s.exprs("conversations", "c", "archived_at", "archive_cause", "created_at", "updated_at") +
		" FROM conversations c " + rest
	return collect(ctx, db, "read conversations", query, args, func(scan RowScanner, c *Conversation) error {
		var active integer
		err := scan((*integer)(&c.ID), (*text)(&c.SessionID), (*text)(&c.SessionKey), (*text)(&c.Title),
			&active, &c.ArchivedAt, (*text)(&c.ArchiveCause), &c.CreatedAt, &c.UpdatedAt)
		c.Active = active != 0
		return err
	})
}
