package testdb

import (
	"encoding/json"
	"slices"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
)

// Forget replaces the texts of the messages of a file for which an SQL condition holds by their
// stubs, with their parts, and takes them out of the search table: what pruning leaves. It
// returns the ids of the messages.
func Forget(t testing.TB, path, condition string) (ids []int64) {
	t.Helper()
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	stubs := map[int64]string{}
	err = h.Each("SELECT message_id, role, seq, content, created_at FROM messages WHERE "+condition, nil, func(scan func(...any) error) error {
		var id, seq int64
		var role, content, at string
		err := scan(&id, &role, &seq, &content, &at)
		when, _ := data.ParseTime(at)
		stubs[id] = data.ForgottenText(role, seq, when, int64(len(content)), lcm.MentionedFiles(content))
		ids = append(ids, id)
		return err
	})
	for _, id := range ids {
		if err == nil {
			err = forgetMessage(h, id, stubs[id])
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// forgetMessage replaces the text of one message and of its parts.
func forgetMessage(h *fakehost.Writer, id int64, stub string) error {
	metadata := map[string]string{}
	err := h.Each("SELECT part_id, coalesce(metadata, '{}') FROM message_parts WHERE message_id = ?", []any{id}, func(scan func(...any) error) error {
		var part, text string
		err := scan(&part, &text)
		metadata[part] = strippedMetadata(text)
		return err
	})
	exec := func(query string, args ...any) {
		if err == nil {
			err = h.Exec(query, args...)
		}
	}
	for part, text := range metadata {
		exec(`UPDATE message_parts SET text_content = CASE ordinal WHEN 0 THEN ? END, tool_input = NULL, tool_output = NULL, metadata = ?
			WHERE part_id = ?`, stub, text, part)
	}
	exec("UPDATE messages SET content = ? WHERE message_id = ?", stub, id)
	if h.Has("messages_fts") {
		exec("DELETE FROM messages_fts WHERE rowid = ?", id)
	}
	return err
}

// keptMetadata are the members of a part's metadata that a stub keeps, and keptRaw those of the
// block in it: hosts know a message again by them.
var (
	keptMetadata = []string{"originalRole", "toolCallId", "toolName", "isError", "rawType", "modelProvider", "modelApi", "modelId", "responseModelId", "responseId", "kind"}
	keptRaw      = []string{"type", "id", "call_id", "toolCallId", "tool_call_id", "tool_use_id", "name"}
)

// strippedMetadata returns a part's metadata without its text.
func strippedMetadata(text string) string {
	var all map[string]any
	if json.Unmarshal([]byte(text), &all) != nil {
		return "{}"
	}
	raw, _ := all["raw"].(map[string]any)
	keep(all, append([]string{"raw"}, keptMetadata...))
	if keep(raw, keptRaw); raw != nil {
		all["raw"] = raw
	}
	b, err := json.Marshal(all)
	if err != nil {
		return "{}"
	}
	return string(b)
}

// keep deletes all members of an object but some.
func keep(object map[string]any, names []string) {
	for name := range object {
		if !slices.Contains(names, name) {
			delete(object, name)
		}
	}
}
