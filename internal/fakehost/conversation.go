package fakehost

import (
	"fmt"
	"time"
)

// Conversation is a conversation to write. The key, the archive and its cause are left
// out of files that do not know them.
type Conversation struct {
	SessionID  string    // made up when empty
	SessionKey string    // agent:<agent>:<lane>:…
	Title      string    // practically unused by the host
	Active     bool      // whether the session goes on; Archived wins
	Archived   time.Time // when it was closed; with Active false and no time: when it was made
	Cause      string    // manual-reset, session-deleted, session-end, rollover-fallback, cron-rotation
	At         time.Time // when it was made
}

// Conversation writes a conversation and returns its number.
func (h *Writer) Conversation(c Conversation) (int64, error) {
	at := h.at(c.At)
	if c.SessionID == "" {
		h.ids++
		c.SessionID = uuid(fmt.Sprintf("session %d", h.ids))
	}
	if !c.Active && c.Archived.IsZero() {
		c.Archived = at
	}
	active, archived := 1, any(nil)
	if !c.Archived.IsZero() {
		active, archived = 0, c.Archived.UTC().Format(Seconds)
	}
	return h.insert("conversations",
		cell{"session_id", c.SessionID}, cell{"session_key", null(c.SessionKey)},
		cell{"active", active}, cell{"archived_at", archived}, cell{"archive_cause", null(c.Cause)},
		cell{"title", null(c.Title)}, cell{"created_at", at.Format(Seconds)}, cell{"updated_at", at.Format(Seconds)})
}

// session returns the session id that a conversation has now.
func (h *Writer) session(conv int64) (id string, err error) {
	err = h.one(&id, "SELECT session_id FROM conversations WHERE conversation_id = ?", conv)
	return id, err
}
