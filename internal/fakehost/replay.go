package fakehost

import (
	"database/sql"
	"errors"
	"os"

	"lcm-tui/engine/identity"
	"lcm-tui/internal/lazyregexp"
)

// stored is a message as far as the host compares it with what an agent hands over.
type stored struct {
	id                         int64
	role, content, hash, entry string // entry is the id of the transcript's entry.
	payload                    string // The output in a file, where the content is the host's reference to it.
}

func (h *Host) messages(conv int64) (out []stored, err error) {
	entry := "''"
	if h.Has("messages", "transcript_entry_id") {
		entry = "coalesce(transcript_entry_id, '')"
	}
	hash := "''"
	if h.Has("messages", "identity_hash") {
		hash = "coalesce(identity_hash, '')"
	}
	err = h.Each("SELECT message_id, role, content, "+hash+", "+entry+" FROM messages WHERE conversation_id = ? ORDER BY seq", []any{conv},
		func(scan func(...any) error) error {
			var m stored
			err := scan(&m.id, &m.role, &m.content, &m.hash, &m.entry)
			out = append(out, m)
			return err
		})
	return out, err
}

// Restart returns what a host does with a file when it starts: it fills in the hashes that
// are missing, and forgets what it had in memory.
func (h *Host) Restart() error {
	h.frozen = map[int64]bool{}
	if !h.Has("messages", "identity_hash") {
		return nil
	}
	hashes := map[int64]string{}
	err := h.Each("SELECT message_id, role, content FROM messages WHERE coalesce(identity_hash, '') = ''", nil, func(scan func(...any) error) error {
		var m stored
		err := scan(&m.id, &m.role, &m.content)
		hashes[m.id] = identity.Hash(m.role, m.content)
		return err
	})
	for id, hash := range hashes {
		if err == nil {
			err = h.Exec("UPDATE messages SET identity_hash = ? WHERE message_id = ?", hash, id)
		}
	}
	return err
}

// Replay hands the whole history of a conversation over again, as gateways do after a
// restart, and returns how many messages the host stored. It stores what follows when
// its rows are the history's beginning, row by row in role, content and hash. If not, it
// stores nothing when it has a row of every hash as often as the history has it, and else
// the whole history. A message with a payload in a file has another hash than its row.
//
// The host's guard against floods of replayed messages is left out here: it depends on the
// seconds in which messages came.
func (h *Host) Replay(conv int64, history []Message) (added int, err error) {
	have, err := h.messages(conv)
	if err == nil {
		err = h.readPayloads(have)
	}
	if err != nil {
		return 0, err
	}
	fresh := history
	switch {
	case aligned(have, history):
		fresh = history[len(have):]
	case persisted(have, history):
		fresh = nil
	}
	for _, m := range fresh {
		m.EntryID = "" // What runs has no transcript entry.
		dropped, err := h.toolKnown(conv, m)
		if err != nil {
			return added, err
		}
		if dropped {
			continue
		}
		ids, err := h.Append(conv, m)
		if err != nil {
			return added, err
		}
		added += len(ids)
	}
	return added, nil
}

// outputReference matches the whole text that stands for the output of a tool in a file. Without
// its last line the host doesn't take it for one.
var outputReference = lazyregexp.New(`(?s)^\[LCM Tool Output: (file_[0-9a-f]{16}) \|.*\n\nCall lcm_describe\(id="[^"]*", expandFile=true\)[^\n]*$`)

// readPayloads reads the outputs of tools that lie in files.
func (h *Host) readPayloads(have []stored) error {
	for i := range have {
		found := outputReference.FindStringSubmatch(have[i].content)
		if found == nil {
			continue
		}
		var path string
		err := h.Read([]any{&path}, "SELECT storage_uri FROM large_files WHERE file_id = ?", found[1])
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return err
		}
		if b, err := os.ReadFile(path); err == nil { // A file that is gone proves nothing.
			have[i].payload = string(b)
		}
	}
	return nil
}

// aligned reports whether the rows are the beginning of a history.
func aligned(have []stored, history []Message) bool {
	if len(have) > len(history) {
		return false
	}
	for i, m := range have {
		n := history[i]
		same := m.content == n.Content && m.hash == identity.Hash(n.Role, n.Content) || m.payload != "" && m.payload == n.Content
		if m.role != n.Role || !same {
			return false
		}
	}
	return true
}

// persisted reports whether every hash of a history is stored as often as it comes there.
func persisted(have []stored, history []Message) bool {
	count := map[string]int{}
	for _, m := range have {
		count[m.hash]++
	}
	for _, m := range history {
		hash := m.handedIdentity()
		if count[hash]--; count[hash] < 0 {
			return false
		}
	}
	return true
}

// known reports whether the host has a message's transcript entry, or its tool result by a
// stable id.
func (h *Host) known(conv int64, m Message) (bool, error) {
	if m.EntryID != "" && h.Has("messages", "transcript_entry_id") {
		var n int
		err := h.Read([]any{&n}, "SELECT count(*) FROM messages WHERE conversation_id = ? AND transcript_entry_id = ?", conv, m.EntryID)
		if err != nil || n > 0 {
			return n > 0, err
		}
	}
	if m.Role != "tool" || len(m.Parts) != 1 || m.Parts[0].ToolCallID == "" || !h.Has("messages", "stable_event_key") {
		return false, nil
	}
	var n int
	err := h.Read([]any{&n}, "SELECT count(*) FROM messages WHERE conversation_id = ? AND stable_event_key = ?", conv, "tool-result:"+m.Parts[0].ToolCallID)
	return n > 0, err
}

// toolKnown reports whether a message is a call or a result of which the host has a part.
func (h *Host) toolKnown(conv int64, m Message) (bool, error) {
	for _, p := range m.Parts {
		if p.ToolCallID == "" {
			continue
		}
		var n int
		err := h.Read([]any{&n}, `SELECT count(*) FROM message_parts p JOIN messages m ON m.message_id = p.message_id
			WHERE m.conversation_id = ?1 AND m.role = ?2 AND json_valid(p.metadata) AND coalesce(json_extract(p.metadata, '$.raw.id'),
				json_extract(p.metadata, '$.raw.call_id'), json_extract(p.metadata, '$.raw.toolCallId'), json_extract(p.metadata, '$.raw.tool_call_id')) = ?3`,
			conv, m.Role, p.ToolCallID)
		if err != nil || n > 0 {
			return n > 0, err
		}
	}
	return false, nil
}
