package fakehost

import (
	"slices"
	"time"
)

// anchoredRow is a message with what a host of 1.0 compares with the visible path.
type anchoredRow struct {
	stored
	key     string // stable_event_key
	trusted bool   // A trust row of the conversation vouches for the entry.
}

// bootstrap is the start of a session with a conversation that has messages.
type bootstrap struct {
	host    *Host
	conv    int64
	visible []VisibleEntry
	place   map[string]int // Of the entries in the visible path.
	rows    []*anchoredRow // By seq.
	newest  time.Time      // Of the newest row.
	suspect bool           // The audit distrusts a row.
	unknown bool           // It distrusts one because nobody vouched for its entry.
	epoch   bool           // The memory is known to begin behind an entry.
	behindE int            // That entry; -1 where the path doesn't have it.
}

// beginBootstrap reads what the start of a session compares.
func beginBootstrap(h *Host, conv int64, visible []VisibleEntry) (*bootstrap, error) {
	b := &bootstrap{host: h, conv: conv, visible: visible, place: map[string]int{}, behindE: -1}
	for i, e := range visible {
		b.place[e.ID] = i
	}
	var last string
	err := h.Each(`SELECT m.message_id, m.role, m.content, coalesce(m.identity_hash, ''), coalesce(m.transcript_entry_id, ''), coalesce(m.stable_event_key, ''),
		EXISTS (SELECT 1 FROM message_transcript_anchor_trust t WHERE t.message_id = m.message_id AND t.conversation_id = m.conversation_id
			AND t.transcript_entry_id = m.transcript_entry_id AND t.trust_state IN ('verified', 'repaired')), m.created_at
		FROM messages m WHERE m.conversation_id = ? ORDER BY m.seq`, []any{conv}, func(scan func(...any) error) error {
		r := &anchoredRow{}
		err := scan(&r.id, &r.role, &r.content, &r.hash, &r.entry, &r.key, &r.trusted, &last)
		b.rows = append(b.rows, r)
		return err
	})
	if err != nil || len(b.rows) == 0 {
		return b, err
	}
	for _, layout := range []string{Seconds, time.RFC3339Nano} {
		if b.newest, err = time.Parse(layout, last); err == nil {
			break
		}
	}
	return b, err
}

// trust writes the trust row of a message.
func (b *bootstrap) trust(r *anchoredRow, entry, state, source, reason string) error {
	var at any
	if state == "verified" {
		at = time.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	}
	return b.host.Exec(`INSERT OR REPLACE INTO message_transcript_anchor_trust (message_id, conversation_id, transcript_entry_id, trust_state, source, reason, verified_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)`, r.id, b.conv, entry, state, source, reason, at)
}

// audit compares all rows that name an entry with it. One of another text or role loses the entry.
func (b *bootstrap) audit() error {
	for _, r := range b.rows {
		if r.entry == "" {
			continue
		}
		i, shown := b.place[r.entry]
		state, reason, differs := "suspect", "", false
		switch {
		case !shown:
			reason = "entry id missing from projection"
		case b.visible[i].Role != r.role:
			reason, differs = "entry id role mismatch", true
		case b.visible[i].Content != r.content:
			reason, differs = "entry id content mismatch", true
		case !r.trusted:
			reason, b.unknown = "entry id lacks explicit trust", true
		default:
			state, reason = "verified", "entry id matches role and content"
		}
		if state == "suspect" {
			b.suspect, r.trusted = true, false
		}
		if err := b.trust(r, r.entry, state, "projection-audit", reason); err != nil {
			return err
		}
		if !differs {
			continue
		}
		if err := b.host.Exec("UPDATE messages SET transcript_entry_id = NULL WHERE message_id = ?", r.id); err != nil {
			return err
		}
		r.entry = ""
	}
	return nil
}

// writeEpoch notes behind which entry the memory begins, where rows are distrusted or can't be
// told apart, unless it is noted already. Rows that are the path one by one get its entries.
func (b *bootstrap) writeEpoch() error {
	h, without := b.host, slices.ContainsFunc(b.rows, func(r *anchoredRow) bool { return r.entry == "" })
	var entry string
	const noted = "SELECT frontier_entry_id FROM conversation_transcript_epochs WHERE conversation_id = ? AND migration_mode = 'legacy_prefix' AND frontier_entry_id IS NOT NULL"
	err := h.Each(noted, []any{b.conv}, func(scan func(...any) error) error {
		b.epoch = true
		return scan(&entry)
	})
	if err != nil {
		return err
	}
	if !b.suspect && without && !b.epoch && b.isPath() {
		for i, r := range b.rows {
			if r.entry != "" {
				continue
			}
			if err := b.adopt(r, i); err != nil {
				return err
			}
		}
		return nil
	}
	if b.suspect || without {
		if !b.epoch || b.unknown {
			if entry, err = b.noteFrontier(); err != nil {
				return err
			}
			b.epoch = entry != ""
		}
	}
	if i, shown := b.place[entry]; shown {
		b.behindE = i
	}
	return nil
}

// noteFrontier writes the epoch: its entry is the last one that isn't newer than the newest row.
// Rows have whole seconds and entries milliseconds, so this is often the last but one.
func (b *bootstrap) noteFrontier() (entry string, err error) {
	at, seq := any(nil), any(nil)
	for i, e := range b.visible {
		if !e.At.After(b.newest) {
			entry, at, seq = e.ID, e.At.UTC().Format("2006-01-02T15:04:05.000Z"), i+1
		}
	}
	return entry, b.host.Exec(`INSERT OR REPLACE INTO conversation_transcript_epochs (conversation_id, session_id, session_key, frontier_entry_id, frontier_seq, frontier_created_at,
		migration_mode, metadata_json) SELECT conversation_id, session_id, session_key, ?, ?, ?, 'legacy_prefix', '{"reason":"unproven transcript anchors","classification":"legacy_prefix"}'
		FROM conversations WHERE conversation_id = ?`, nullable(entry), seq, at, b.conv)
}

// isPath reports whether the rows are the entries one by one, and no text comes twice.
func (b *bootstrap) isPath() bool {
	seen := map[string]bool{}
	for i, r := range b.rows {
		if i >= len(b.visible) || r.role != b.visible[i].Role || r.content != b.visible[i].Content || seen[r.hash] || r.content == "" {
			return false
		}
		seen[r.hash] = true
	}
	return true
}

// adopt gives a row an entry.
func (b *bootstrap) adopt(r *anchoredRow, i int) error {
	r.entry, r.trusted = b.visible[i].ID, true
	err := b.host.Exec("UPDATE messages SET transcript_entry_id = ? WHERE message_id = ?", r.entry, r.id)
	if err == nil {
		err = b.trust(r, r.entry, "verified", "projection-reconcile", "recent tail message adopted as projection anchor")
	}
	return err
}

// walk goes over the path and returns from where on entries are stored: behind the last one that a
// row vouches for or takes. Without one it is behind the epoch, or behind the last entry of a row
// for which nobody vouched; -1 says that there is nothing of these.
func (b *bootstrap) walk() (from int, err error) {
	rows, tail := map[string]*anchoredRow{}, b.rows[max(0, len(b.rows)-b.host.Config.FreshTailCount):]
	for _, r := range b.rows {
		if r.entry != "" {
			rows[r.entry] = r
		}
	}
	overlap, boundary, anchored := -1, -1, false
	for i, e := range b.visible {
		switch r := rows[e.ID]; {
		case r != nil && r.trusted:
			overlap, anchored = i, true
			continue
		case r != nil:
			boundary = i
			continue
		case boundary >= 0, b.epoch && !anchored:
			continue
		}
		n := slices.IndexFunc(tail, func(r *anchoredRow) bool {
			return r.entry == "" && r.role == e.Role && r.content == e.Content && r.hash == e.hash()
		})
		if n < 0 {
			continue
		}
		if err := b.adopt(tail[n], i); err != nil {
			return 0, err
		}
		overlap = i
	}
	switch {
	case overlap >= 0:
		return max(overlap, boundary) + 1, nil
	case b.behindE >= 0 || boundary >= 0:
		return max(b.behindE, boundary) + 1, nil
	}
	return -1, nil
}

// giveUp ends a conversation in which nothing of the path is known: a host begins an empty one. One
// that no start has finished yet is left, and nothing is stored in it any more.
func (b *bootstrap) giveUp() (out Bootstrapped, err error) {
	h := b.host
	var begun bool
	if err := h.Read([]any{&begun}, "SELECT bootstrapped_at IS NOT NULL FROM conversations WHERE conversation_id = ?", b.conv); err != nil || !begun {
		return Bootstrapped{Frozen: true}, err
	}
	var s Session
	if err := h.Read([]any{&s.Key, &s.ID}, "SELECT coalesce(session_key, ''), session_id FROM conversations WHERE conversation_id = ?", b.conv); err != nil {
		return out, err
	}
	err = h.Exec("UPDATE conversations SET active = 0, archived_at = datetime('now'), archive_cause = 'rollover-fallback' WHERE conversation_id = ?", b.conv)
	if err == nil {
		_, err = h.begin(s)
	}
	return Bootstrapped{Archived: true}, err
}

// behind returns the entries to be stored from a place on: those whose key and id no row has, and so many as
// one pass stores.
func (b *bootstrap) behind(from int) (out []VisibleEntry) {
	most := max(50, len(b.rows)/5)
	for _, e := range b.visible[from:] {
		known := slices.ContainsFunc(b.rows, func(r *anchoredRow) bool {
			return r.entry == e.ID || e.EventKey != "" && r.key == e.EventKey
		})
		if !known && len(out) < most {
			out = append(out, e)
		}
	}
	return out
}

// store writes an entry as a message that vouches for it.
func (b *bootstrap) store(e VisibleEntry) error {
	id, err := b.host.Message(b.conv, Message{Role: e.Role, Content: e.Content, At: e.At, EntryID: e.ID, EventKey: e.EventKey})
	if err != nil {
		return err
	}
	return b.trust(&anchoredRow{stored: stored{id: id}}, e.ID, "verified", "transcript-import", "message imported from transcript entry")
}
