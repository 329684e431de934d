package fakehost

import (
	"database/sql"
	"errors"
	"time"

	"lcm-tui/engine/identity"
)

// checkpoint is how far a host has read a transcript.
type checkpoint struct {
	exists bool
	path   string
	size   int64
	entry  string // The last entry it processed.
}

// maxImportTokens returns how many tokens of a transcript go into an empty conversation.
func (c Config) maxImportTokens() int { return max(6000, c.LeafChunkTokens*3/10) }

// CatchUp returns the start of a session whose id nobody knows: see OpenSession.
func (h *Host) CatchUp(key string, t Transcript) (conv int64, added int, err error) {
	return h.OpenSession(Session{Key: key, Transcript: t})
}

// OpenSession returns the start of a session: the host finds its conversation, or begins one, and
// stores what its transcript has beyond what is stored. It returns the conversation and how
// many messages came.
//
// Left out is that a long import comes in chunks: all of it comes in the end.
func (h *Host) OpenSession(s Session) (conv int64, added int, err error) {
	if conv, err = h.conversationOf(s); err != nil {
		return 0, 0, err
	}
	t := s.Transcript
	b, err := t.encode()
	if err != nil {
		return conv, 0, err
	}
	at, err := h.checkpoint(conv)
	if err != nil || at.exists && at.path == t.Path && at.size == int64(len(b)) {
		return conv, 0, err
	}
	have, err := h.messages(conv)
	if err != nil {
		return conv, 0, err
	}
	fresh, ok := h.newEntries(t, have, at, int64(len(b)))
	if isFlood(have, fresh) {
		fresh = nil
	}
	if !ok {
		h.frozen[conv] = true
		return conv, 0, nil
	}
	ids, err := h.Append(conv, fresh...)
	if err != nil {
		return conv, 0, err
	}
	return conv, len(ids), h.saveCheckpoint(conv, t, len(b))
}

// newEntries returns what of a transcript isn't stored, by the host's reckoning. Not ok where the
// host can't tell, and stores nothing in the conversation ever after.
func (h *Host) newEntries(t Transcript, have []stored, at checkpoint, size int64) (fresh []Message, ok bool) {
	anchor := t.anchor(have, at.entry)
	switch {
	case len(have) == 0 && !at.exists:
		return h.Config.newest(t.Entries), true
	case !at.exists && !t.holdsNewest(have):
		return nil, false
	case anchor < 0, at.path != "" && !t.hasIDs() && size < at.size:
		return t.Entries, true // An epoch of its own.
	}
	return t.Entries[anchor+1:], true
}

// holdsNewest reports whether the newest stored message is in the transcript. Without a
// checkpoint only that proves that it is the conversation's.
func (t Transcript) holdsNewest(have []stored) bool {
	n := len(have) - 1
	if t.hasIDs() {
		return t.position(have[n].entry) >= 0
	}
	return t.occurrence(have, n) >= 0
}

// newest returns the newest entries that fit into an empty conversation.
func (c *Config) newest(entries []Message) []Message {
	sum, first := 0, len(entries)
	for first > 0 {
		if sum += Estimate(entries[first-1].Content); sum > c.maxImportTokens() && first < len(entries) {
			break
		}
		first--
	}
	return entries[first:]
}

// anchor returns the last entry that is known to be stored: the one noted, the newest stored
// one by its id, or where there are no ids the newest stored one by role and content and
// how often those came before. -1 where there is none.
func (t Transcript) anchor(have []stored, noted string) int {
	if i := t.position(noted); i >= 0 && t.hasIDs() {
		return i
	}
	for n := len(have) - 1; n >= 0; n-- {
		i := t.position(have[n].entry)
		if !t.hasIDs() {
			i = t.occurrence(have, n)
		}
		if i >= 0 {
			return i
		}
	}
	return -1
}

// occurrence returns the entry of the same role and content as a stored message that comes as
// the same repetition, the second to the second, or -1.
func (t Transcript) occurrence(have []stored, n int) int {
	want, times := have[n], 0
	for _, m := range have[:n+1] {
		if m.role == want.role && m.content == want.content {
			times++
		}
	}
	for i, e := range t.Entries {
		if e.Role == want.role && e.Content == want.content {
			if times--; times == 0 {
				return i
			}
		}
	}
	return -1
}

// checkpoint reads how far a transcript was read; files of 1.0 have no such row.
func (h *Host) checkpoint(conv int64) (c checkpoint, err error) {
	if !h.Has("conversation_bootstrap_state") {
		return c, nil
	}
	entry := "''"
	if h.Has("conversation_bootstrap_state", "last_processed_entry_id") {
		entry = "coalesce(last_processed_entry_id, '')"
	}
	err = h.Read([]any{&c.path, &c.size, &c.entry}, "SELECT session_file_path, last_seen_size, "+entry+
		" FROM conversation_bootstrap_state WHERE conversation_id = ?", conv)
	if errors.Is(err, sql.ErrNoRows) {
		return checkpoint{}, nil
	}
	c.exists = true
	return c, err
}

// saveCheckpoint writes how far a transcript was read.
func (h *Host) saveCheckpoint(conv int64, t Transcript, size int) error {
	const table = "conversation_bootstrap_state"
	var last Message
	if n := len(t.Entries); n > 0 {
		last = t.Entries[n-1]
	}
	if !h.Has(table) {
		return nil
	}
	err := h.Exec(`INSERT OR IGNORE INTO conversation_bootstrap_state
		(conversation_id, session_file_path, last_seen_size, last_seen_mtime_ms, last_processed_offset) VALUES (?, ?, 0, 0, 0)`, conv, t.Path)
	if err != nil {
		return err
	}
	err = h.Exec(`UPDATE conversation_bootstrap_state SET session_file_path = ?, last_seen_size = ?, last_seen_mtime_ms = ?, last_processed_offset = ?,
		last_processed_entry_hash = ?, updated_at = datetime('now') WHERE conversation_id = ?`,
		t.Path, size, time.Now().UnixMilli(), size, identity.EntryHash(last.Role, last.Content), conv)
	if err == nil && h.Has(table, "last_processed_entry_id") {
		err = h.Exec("UPDATE conversation_bootstrap_state SET session_header_id = ?, last_processed_entry_id = ? WHERE conversation_id = ?",
			t.Header, nullable(last.EntryID), conv)
	}
	return err
}

// nullable turns an empty text into NULL.
func nullable(s string) any {
	if s == "" {
		return nil
	}
	return s
}
