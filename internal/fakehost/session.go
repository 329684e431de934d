package fakehost

import (
	"database/sql"
	"errors"
	"os"
	"strings"

	"lcm-tui/engine/identity"
)

// Session is what a gateway knows of a session when it hands a turn to the host.
type Session struct {
	Key        string // agent:<agent>:<lane>:…
	ID         string // Of this run of the session; empty where the gateway names none.
	Transcript Transcript
}

// conversationOf finds the conversation of a session, or begins one: the active one of its key,
// whose session id becomes this one's, else the active one of its session id, which gets the key
// if it has none. Of a scheduled job each run has one of its own: that of another run is archived. One that follows a transcript that is gone, while the session has another, is
// archived, and a new one begins.
func (h *Host) conversationOf(s Session) (conv int64, err error) {
	err = h.Read([]any{&conv}, "SELECT conversation_id FROM conversations WHERE session_key = ? AND active = 1", s.Key)
	switch {
	case err == nil && s.ID != "" && isScheduled(s.Key):
		var of string
		if err := h.Read([]any{&of}, "SELECT session_id FROM conversations WHERE conversation_id = ?", conv); err != nil || of == s.ID {
			return conv, err
		}
		if err := h.Exec("UPDATE conversations SET active = 0, archived_at = datetime('now'), archive_cause = 'cron-rotation' WHERE conversation_id = ?", conv); err != nil {
			return 0, err
		}
		return h.begin(s)
	case err == nil && s.ID != "":
		err = h.Exec("UPDATE conversations SET session_id = ? WHERE conversation_id = ?", s.ID, conv)
	case errors.Is(err, sql.ErrNoRows) && s.ID != "":
		err = h.Read([]any{&conv}, "SELECT conversation_id FROM conversations WHERE session_id = ? AND active = 1 ORDER BY conversation_id DESC LIMIT 1", s.ID)
		if err == nil {
			err = h.Exec("UPDATE conversations SET session_key = ? WHERE conversation_id = ? AND coalesce(session_key, '') = ''", s.Key, conv)
		}
	}
	if errors.Is(err, sql.ErrNoRows) {
		return h.begin(s)
	}
	if err != nil {
		return 0, err
	}
	at, err := h.checkpoint(conv)
	if err != nil || !at.exists || at.path == "" || at.path == s.Transcript.Path || fileExists(at.path) {
		return conv, err
	}
	err = h.Exec("UPDATE conversations SET active = 0, archived_at = datetime('now'), archive_cause = 'rollover-fallback' WHERE conversation_id = ?", conv)
	if err != nil {
		return 0, err
	}
	return h.begin(s)
}

// isScheduled reports whether a key is that of a scheduled job: agent:<agent>:cron:<job>….
func isScheduled(key string) bool {
	parts := strings.SplitN(key, ":", 4)
	return len(parts) == 4 && parts[0] == "agent" && parts[2] == "cron"
}

// begin makes the conversation of a session.
func (h *Host) begin(s Session) (int64, error) {
	return h.Conversation(Conversation{SessionKey: s.Key, SessionID: s.ID, Active: true})
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// floodThreshold is how many messages of one import the host knows by role, content and hash
// before it takes the import for a replay, and refuses all of it.
const floodThreshold = 32

// isFlood reports whether an import is a replay of stored messages. A message whose text was
// replaced isn't known, since the content differs, nor is one whose hash was.
func isFlood(have []stored, fresh []Message) bool {
	type text struct{ role, content string }
	count := map[text]int{}
	for _, m := range have {
		if m.hash == identity.Hash(m.role, m.content) {
			count[text{m.role, m.content}]++
		}
	}
	known := 0
	for _, m := range fresh {
		if i := (text{m.Role, m.Content}); count[i] > 0 {
			count[i]--
			known++
		}
	}
	return known >= floodThreshold
}
