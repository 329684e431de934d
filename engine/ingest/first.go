package ingest

import (
	"slices"
	"strings"

	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
)

// unknownToFirst are the types of blocks that the first hosts stored as an agent's part.
var unknownToFirst = []string{"toolCall", "toolUse", "functionCall", "function_call", "function_call_output", "redacted_thinking"}

// firstContent returns the content as the first hosts stored it: the blocks of text.
func (w *ingestion) firstContent() string {
	c := w.content
	switch {
	case c.IsString():
		return c.Text()
	case c.IsObject():
		return string(c)
	case !c.IsArray():
		if command, output := w.message.Field("command"), w.message.Field("output"); command.IsString() && output.IsString() {
			return "$ " + command.Text() + "\n" + output.Text()
		}
		return ""
	}
	var lines []string
	for b := range c.Elements() {
		if b.Field("type") == `"text"` && b.Field("text").IsString() {
			lines = append(lines, b.Field("text").Text())
		}
	}
	return strings.Join(lines, "\n")
}

// firstParts returns the parts as the first hosts stored them: a block's own members,
// and of the message only the call.
func (w *ingestion) firstParts() []lcm.RawPart {
	c := w.content
	if !c.IsArray() {
		return w.firstTextPart(c)
	}
	var out []lcm.RawPart
	for b := range c.Elements() {
		p := lcm.RawPart{Type: partType(b), Ordinal: int64(len(out)), Text: firstText(b, "text", "thinking"), ToolName: firstText(b, "name", "toolName", "tool_name")}
		if slices.Contains(unknownToFirst, b.Field("type").Text()) {
			p.Type = "agent"
		}
		if p.ToolCallID = firstText(b, "toolCallId", "tool_call_id"); p.ToolCallID.Null {
			p.ToolCallID = firstText(w.message, "toolCallId", "tool_call_id", "id")
		}
		p.ToolInput, p.ToolOutput = toolValue(b, "tool_input", "input", "toolInput"), toolValue(b, "tool_output", "output", "toolOutput")
		meta := w.firstMeta()
		meta.Put("rawType", b.Field("type"))
		meta.Put("raw", b)
		p.Metadata = storedText(string(meta.Value()))
		out = append(out, p)
	}
	return out
}

// firstTextPart returns the one part of a message that has no blocks.
func (w *ingestion) firstTextPart(c jstext.Value) []lcm.RawPart {
	meta := w.firstMeta()
	p := textPart("text", storedText(w.firstContent()), meta)
	switch {
	case c.IsString():
	case c.Defined() && c != jstext.Null:
		meta.Put("source", `"non-array-content"`)
		meta.Put("raw", c)
		p.Type = "agent"
	case w.message.Field("command").IsString() && w.message.Field("output").IsString():
		meta.Put("source", `"bash-exec"`)
		meta.Put("command", w.message.Field("command"))
	default:
		meta.Put("source", `"unknown-message-shape"`)
		meta.Put("raw", w.message)
		p.Type, p.Text = "agent", null
	}
	p.ToolCallID = firstText(w.message, "toolCallId", "tool_call_id", "id")
	p.Metadata = storedText(string(meta.Value()))
	return []lcm.RawPart{p}
}

func (w *ingestion) firstMeta() *jstext.Object {
	o := new(jstext.Object)
	o.Put("originalRole", jstext.Quote(w.runtime))
	putText(o, "kind", w.kind())
	return o
}

// firstTokens returns the estimate of the first hosts, which sent blocks as they came.
func (w *ingestion) firstTokens() int64 {
	c := w.content
	switch {
	case c.IsObject():
		c = jstext.Array([]jstext.Value{c})
	case !c.IsArray() || c == "[]" || w.runtime == "user" && len(w.Parts) == 1 && w.Parts[0].Type == "text":
		return w.rules.Estimator.Count(w.Content)
	}
	return w.rules.Estimator.Count(string(c))
}
