package fakehost

import (
	"database/sql"
	"errors"
	"fmt"
	"time"

	"lcm-tui/engine/identity"
)

// VisibleEntry is an entry on the visible path of a session: what a gateway shows a host of 1.0
// of its transcript.
type VisibleEntry struct {
	ID, Role, Content string
	EventKey          string // By which the host knows an answer or a result again; empty where there is none.
	At                time.Time
}

// Bootstrapped is what the start of a session brought into its conversation.
type Bootstrapped struct {
	Imported []string // Ids of the entries that were stored.
	Archived bool     // The conversation is over, and an empty one has begun.
	Frozen   bool     // The host stores nothing until something changes.
}

// errOnlyTried undoes what was only tried.
var errOnlyTried = errors.New("only tried")

// WouldImport returns what a host of 1.0 would store of the visible path at the next start of a
// session, and changes nothing.
func WouldImport(h *Host, conv int64, visible []VisibleEntry) (out Bootstrapped, err error) {
	err = h.Tx(func(*Writer) error {
		if out, err = Bootstrap(h, conv, visible); err != nil {
			return err
		}
		return errOnlyTried
	})
	if errors.Is(err, errOnlyTried) {
		err = nil
	}
	return out, err
}

// Bootstrap plays the first contact of a session with a process of a host of 1.0, and what it does
// after every turn: it audits the rows that name entries, stores behind which entry its own memory
// begins, gives rows the ids of entries, and stores the entries behind the last one that it knows.
// Left out is that a payload in a file is compared with the message that it was.
func Bootstrap(h *Host, conv int64, visible []VisibleEntry) (out Bootstrapped, err error) {
	err = h.Tx(func(*Writer) error {
		var active int
		if err := h.Read([]any{&active}, "SELECT active FROM conversations WHERE conversation_id = ?", conv); err != nil || active == 0 {
			return err
		}
		b, err := beginBootstrap(h, conv, visible)
		if err != nil {
			return err
		}
		fresh := h.Config.newestVisible(visible)
		if len(b.rows) > 0 {
			if err := b.audit(); err != nil {
				return err
			}
			if err := b.writeEpoch(); err != nil {
				return err
			}
			from, err := b.walk()
			if err != nil {
				return err
			}
			if from < 0 {
				out, err = b.giveUp()
				return err
			}
			fresh = b.behind(from)
		}
		for _, e := range fresh {
			if err := b.store(e); err != nil {
				return err
			}
			out.Imported = append(out.Imported, e.ID)
		}
		return h.Exec("UPDATE conversations SET bootstrapped_at = datetime('now') WHERE conversation_id = ? AND bootstrapped_at IS NULL", conv)
	})
	return out, err
}

// CommitTurn stores a turn as hosts of 1.0 do while they run: with a receipt, and without the ids of
// entries, which the next start gives the rows. A turn that has its receipt is not stored again.
func CommitTurn(h *Host, conv int64, key string, turn ...Message) (ids []int64, err error) {
	session, err := h.session(conv)
	if err != nil {
		return nil, err
	}
	payload := ""
	for _, m := range turn {
		payload += m.Role + "\x00" + m.Content + "\x00"
	}
	var known string
	switch err := h.Read([]any{&known}, "SELECT payload_hash FROM turn_advancements WHERE advancement_key = ?", key); {
	case err == nil && known == Digest(payload):
		return nil, nil
	case err == nil:
		return nil, fmt.Errorf("turn %s: advancement key collision", key)
	case !errors.Is(err, sql.ErrNoRows):
		return nil, err
	}
	err = h.Tx(func(*Writer) error {
		for _, m := range turn {
			m.EntryID = ""
			id, err := h.Message(conv, m)
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return h.Exec(`INSERT INTO turn_advancements (advancement_key, payload_hash, session_id, session_key, admission_entry_id, terminal_entry_id, message_count, committed_at)
			SELECT ?, ?, ?, session_key, ?, ?, ?, datetime('now') FROM conversations WHERE conversation_id = ?`,
			key, Digest(payload), session, turn[0].EntryID, turn[len(turn)-1].EntryID, len(turn), conv)
	})
	return ids, err
}

// newestVisible returns the newest entries that fit into an empty conversation.
func (c *Config) newestVisible(entries []VisibleEntry) []VisibleEntry {
	messages := make([]Message, len(entries))
	for i, e := range entries {
		messages[i] = Message{Content: e.Content}
	}
	return entries[len(entries)-len(c.newest(messages)):]
}

// hash returns the hash by which the host knows the entry.
func (e VisibleEntry) hash() string { return identity.Hash(e.Role, e.Content) }
