package fakehost

import (
	"encoding/json"
	"strings"
)

// Part is one block of a message. Metadata is made from the other fields when empty.
//
// In an assistant message a part of type tool is a call: a tool_use block when its id
// begins with toolu_, else a toolCall block. In a tool message a part of type tool is a
// function_call_output, and a text part with a ToolCallID is the common result.
type Part struct {
	Type       string // text, reasoning, tool, file, …
	Text       string
	ToolCallID string
	ToolName   string
	ToolInput  string // JSON
	ToolOutput string // JSON, or a bare text
	Metadata   string // JSON
}

// metadata is what the engine remembers of a block.
type metadata struct {
	OriginalRole string          `json:"originalRole"`
	ToolCallID   string          `json:"toolCallId,omitempty"`
	ToolName     string          `json:"toolName,omitempty"`
	IsError      *bool           `json:"isError,omitempty"`
	RawType      string          `json:"rawType,omitempty"`
	Raw          json.RawMessage `json:"raw,omitempty"`
}

// completeParts gives the parts in the form of the file's level, each with its metadata.
func (h *Writer) completeParts(m Message) []Part {
	if m.Parts == nil {
		return []Part{{Type: "text", Text: m.Content, Metadata: compact(metadata{OriginalRole: m.Role})}}
	}
	first := !h.Has("summaries", "descendant_token_count")
	out := make([]Part, len(m.Parts))
	for i, p := range m.Parts {
		if p.ToolOutput != "" {
			p.ToolOutput = string(value(p.ToolOutput))
		}
		if p.Metadata == "" {
			p.Metadata = partMetadata(m.Role, p, first)
		}
		if first {
			p = firstVersionPart(m.Role, p)
		}
		out[i] = p
	}
	return out
}

// firstVersionPart maps a tool part as the first engine did: it knew few block types and
// missed the ids of calls.
func firstVersionPart(role string, p Part) Part {
	if p.Type != "tool" {
		p.ToolName = ""
		return p
	}
	if role == "tool" {
		p.Type, p.ToolName = "agent", ""
		return p
	}
	if !strings.HasPrefix(p.ToolCallID, "toolu_") {
		p.Type, p.ToolInput = "agent", ""
	}
	p.ToolCallID = ""
	return p
}
