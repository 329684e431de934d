package fakehost

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// partMetadata makes the metadata of a part; the first engine kept no call beside the block.
func partMetadata(role string, p Part, first bool) string {
	raw, kind := block(role, p)
	m := metadata{OriginalRole: role, RawType: kind, Raw: raw}
	if role == "tool" {
		m.OriginalRole = "toolResult"
		if !first {
			m.ToolCallID, m.ToolName, m.IsError = p.ToolCallID, p.ToolName, new(bool)
		}
	}
	return compact(m)
}

// block returns the host's own JSON of a part, and its type.
func block(role string, p Part) (json.RawMessage, string) {
	text, id, name := Quote(p.Text), Quote(p.ToolCallID), Quote(p.ToolName)
	switch {
	case p.Type == "reasoning":
		return raw(`{"type":"thinking","thinking":%s,"thinkingSignature":"sig-%s"}`, text, Digest(p.Text)[:16]), "thinking"
	case p.Type == "tool" && role == "tool":
		return raw(`{"type":"function_call_output","call_id":%s,"output":%s}`, id, value(p.ToolOutput)), "function_call_output"
	case p.Type == "tool" && strings.HasPrefix(p.ToolCallID, "toolu_"):
		return raw(`{"type":"tool_use","id":%s,"name":%s,"input":%s}`, id, name, value(p.ToolInput)), "tool_use"
	case p.Type == "tool":
		return raw(`{"type":"toolCall","id":%s,"name":%s,"arguments":%s}`, id, name, value(p.ToolInput)), "toolCall"
	}
	return raw(`{"type":%s,"text":%s}`, Quote(p.Type), text), p.Type
}

func raw(format string, args ...any) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(format, args...))
}

// value returns s itself when it is JSON, else the JSON of the text.
func value(s string) []byte {
	if json.Valid([]byte(s)) {
		return []byte(s)
	}
	return Quote(s)
}

// Quote returns the JSON of a text.
func Quote(s string) []byte { return []byte(compact(s)) }

// compact returns JSON as JavaScript writes it: no white space, no HTML escapes.
func compact(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // only values of this package come here
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// estimateMessage estimates what the engine would send for the message: the text of a plain
// message, else the JSON of its blocks.
func (h *Writer) estimateMessage(m Message, parts []Part) int {
	if len(m.Parts) == 0 || m.Role == "user" && len(parts) == 1 && parts[0].Type == "text" {
		return h.tokens(m.Content)
	}
	blocks := make([]json.RawMessage, len(parts))
	for i, p := range parts {
		var d metadata
		if err := json.Unmarshal([]byte(p.Metadata), &d); err != nil || len(d.Raw) == 0 {
			d.Raw = Quote(p.Text)
		}
		blocks[i] = d.Raw
	}
	return h.tokens(compact(blocks))
}

// part writes one part.
func (h *Writer) part(message int64, session string, ordinal int, p Part) error {
	text := null(p.Text)
	if p.Type == "text" {
		text = p.Text
	}
	_, err := h.insert("message_parts",
		cell{"part_id", uuid(fmt.Sprintf("%d %d %s", message, ordinal, session))}, cell{"message_id", message},
		cell{"session_id", session}, cell{"part_type", p.Type}, cell{"ordinal", ordinal}, cell{"text_content", text},
		cell{"tool_call_id", null(p.ToolCallID)}, cell{"tool_name", null(p.ToolName)},
		cell{"tool_input", null(p.ToolInput)}, cell{"tool_output", null(p.ToolOutput)}, cell{"metadata", null(p.Metadata)})
	return err
}
