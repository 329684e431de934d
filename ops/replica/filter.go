package replica

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/ops/prune/selector"
)

// Filter says which conversations of a file are sent, by their session keys. All kinds that are given have to match, and of a kind one
// value. The zero Filter sends everything.
type Filter struct {
	Agents     []string `json:"agents,omitempty"`      // As in the session key agent:NAME:…
	Keys       []string `json:"keys,omitempty"`        // Patterns: * is anything but a colon, ** is anything.
	ExceptKeys []string `json:"except_keys,omitempty"` // Patterns of session keys that aren't sent.
}

// IsEmpty reports whether everything is sent.
func (f Filter) IsEmpty() bool { return len(f.Agents)+len(f.Keys)+len(f.ExceptKeys) == 0 }

// Matches reports whether a conversation with this session key is sent. An empty key is none.
func (f Filter) Matches(key string) bool {
	isLike := func(pattern string) bool { return key != "" && selector.MatchKey(pattern, key) }
	return (len(f.Agents) == 0 || slices.Contains(f.Agents, lcm.Conversation{SessionKey: key}.Agent())) &&
		(len(f.Keys) == 0 || slices.ContainsFunc(f.Keys, isLike)) && !slices.ContainsFunc(f.ExceptKeys, isLike)
}

// String says in words which conversations are sent.
func (f Filter) String() string {
	var parts []string
	for _, kind := range []struct {
		words  string
		values []string
	}{{"of agent ", f.Agents}, {"with a session key like ", f.Keys}, {"without session keys like ", f.ExceptKeys}} {
		if len(kind.values) > 0 {
			parts = append(parts, kind.words+strings.Join(kind.values, " or "))
		}
	}
	if len(parts) == 0 {
		return "all conversations"
	}
	return "conversations " + strings.Join(parts, ", ")
}

// text returns the filter as the server keeps it: empty where everything is sent.
func (f Filter) text() string {
	if f.IsEmpty() {
		return ""
	}
	text, err := json.Marshal(f)
	if err != nil {
		panic(err) // Texts don't fail.
	}
	return string(text)
}

// readFilter returns the filter that text returned.
func readFilter(text string) (f Filter, err error) {
	if text == "" {
		return f, nil
	}
	if err = json.Unmarshal([]byte(text), &f); err != nil {
		err = fmt.Errorf("the filter of the source: %w", err) // To send everything in its place would send what mustn't be sent.
	}
	return f, err
}

// chosen says of the conversations of a file whether they are sent, by number. Nil is everything, also rows that belong to none.
type chosen map[int64]bool

// choose returns which conversations of a file are sent.
func (f Filter) choose(ctx context.Context, on data.Connection) (chosen, error) {
	if f.IsEmpty() {
		return nil, nil
	}
	out := chosen{}
	schema, err := data.Probe(ctx, on)
	if err != nil || !schema.Has("conversations", convID, "session_key") {
		return out, err // No conversation has a key.
	}
	const query = "SELECT conversation_id, coalesce(session_key, '') FROM conversations WHERE typeof(conversation_id) = 'integer'"
	err = data.EachRow(ctx, on, query, nil, func(scan data.RowScanner) error {
		var id int64
		var key data.Text
		err := scan(&id, &key)
		out[id] = f.Matches(string(key))
		return err
	})
	return out, err
}

// migrationTable says which migrations the file has. Its rows belong to the whole file and have no text of a conversation.
const migrationTable = "lcm_migration_state"

// has reports whether the rows that a table has of a conversation are sent. Rows of no conversation may have the text of any, so that
// with a filter they stay in the file.
func (c chosen) has(table string, group int64) bool {
	return c == nil || c[group] || group == noGroup && table == migrationTable
}

// extent is what of a file is sent.
type extent struct {
	level  Level
	filter Filter
	mask   func(string) string // Takes secrets out of texts; nil leaves them.

	keepsDeleted bool // Rows that the file doesn't have any more go to another source.
}
