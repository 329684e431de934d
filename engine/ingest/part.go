package ingest

import (
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
)

// The types of blocks by the types of the parts that they become; what isn't here
// becomes an agent's part.
var partTypes = map[string]string{
	"text": "text", "thinking": "reasoning", "reasoning": "reasoning", "redacted_thinking": "reasoning",
	"tool_use": "tool", "toolUse": "tool", "tool-use": "tool", "toolCall": "tool", "functionCall": "tool", "function_call": "tool",
	"function_call_output": "tool", "tool_result": "tool", "toolResult": "tool", "tool": "tool",
	"patch": "patch", "file": "file", "image": "file", "subtask": "subtask", "compaction": "compaction",
	"step_start": "step_start", "step-start": "step_start", "step_finish": "step_finish", "step-finish": "step_finish",
	"snapshot": "snapshot", "retry": "retry",
}

func partType(block jstext.Value) string {
	if t := partTypes[block.Field("type").Text()]; t != "" {
		return t
	}
	return "agent"
}

// parts are the parts that are stored of a message.
func (w *work) parts() []data.RawPart {
	c := w.content
	switch {
	case !c.Defined() || c == jstext.Null:
		return w.shapeless()
	case c.IsString():
		return []data.RawPart{{Type: "text", Text: is(c.Text()), ToolCallID: w.callID(""), ToolName: w.toolName(""), ToolInput: none, ToolOutput: none, Metadata: w.meta(0, "")}}
	case !c.IsArray():
		meta := w.metadata(0)
		meta.Put("source", `"non-array-content"`)
		meta.Put("raw", c)
		return []data.RawPart{plain("agent", is(w.Content), meta)}
	}
	var out []data.RawPart
	for b := range c.Elements() {
		out = append(out, w.part(len(out), b))
	}
	return out
}

// shapeless is the part of a message without content: of a command that the user
// ran, or of no known shape.
func (w *work) shapeless() []data.RawPart {
	command, output := w.message.Field("command"), w.message.Field("output")
	meta := w.metadata(0)
	if command.IsString() && output.IsString() {
		w.Content = "$ " + command.Text() + "\n" + output.Text()
		meta.Put("source", `"bash-exec"`)
		meta.Put("command", command)
		return []data.RawPart{plain("text", is(w.Content), meta)}
	}
	meta.Put("source", `"unknown-message-shape"`)
	meta.Put("raw", w.message)
	return []data.RawPart{plain("agent", none, meta)}
}

// part is that of a block.
func (w *work) part(i int, b jstext.Value) data.RawPart {
	p := data.RawPart{Type: partType(b), Ordinal: int64(i), Metadata: w.meta(i, b)}
	p.Text = first(b, "text", "thinking")
	if p.Text.Null && p.Type == "reasoning" {
		p.Text = summary(b)
	}
	id := ""
	names := []string{"toolCallId", "tool_call_id"}
	if p.Type == "tool" {
		names = append(names, "toolUseId", "tool_use_id", "call_id", "id")
	}
	id = first(b, names...).Text
	p.ToolCallID = w.callID(id)
	p.ToolName = w.toolName(first(b, "name", "toolName", "tool_name").Text)
	p.ToolInput = encoded(b, "input", "arguments", "toolInput", "tool_input")
	p.ToolOutput = encoded(b, "output", "toolOutput", "tool_output")
	return p
}

// callID is the call that a part is of: its own, or that of the message.
func (w *work) callID(own string) data.Stored {
	if own == "" && w.Role == "tool" {
		own = first(w.message, "toolCallId", "tool_call_id").Text
	}
	return orNone(own)
}

func (w *work) toolName(own string) data.Stored {
	if own == "" && w.Role == "tool" {
		own = first(w.message, "toolName", "tool_name").Text
	}
	return orNone(own)
}

// summary is what a model's reasoning comes to, in the words of its provider.
func summary(b jstext.Value) data.Stored {
	var lines []string
	for s := range b.Field("summary").Elements() {
		if text := s.Field("text").Text(); text != "" {
			lines = append(lines, text)
		} else if s.IsString() {
			lines = append(lines, s.Text())
		}
	}
	return orNone(strings.Join(lines, "\n"))
}

// Cells.
var none = data.Stored{Null: true}

func is(s string) data.Stored { return data.Stored{Text: s} }

func orNone(s string) data.Stored { return data.Stored{Text: s, Null: s == ""} }

// first is the first of an object's members that is a text.
func first(v jstext.Value, names ...string) data.Stored {
	found := map[string]jstext.Value{}
	for name, f := range v.Fields() {
		if f.IsString() && slices.Contains(names, name) {
			found[name] = f
		}
	}
	for _, n := range names {
		if f, ok := found[n]; ok {
			return is(f.Text())
		}
	}
	return none
}

// encoded is the JSON of the first of an object's members that is there.
func encoded(v jstext.Value, names ...string) data.Stored {
	for _, n := range names {
		if f := v.Field(n); f.Defined() && f != jstext.Null {
			return is(string(f))
		}
	}
	return none
}

// plain is a part of a text and metadata.
func plain(kind string, text data.Stored, meta *jstext.Object) data.RawPart {
	return data.RawPart{Type: kind, Text: text, ToolCallID: none, ToolName: none, ToolInput: none, ToolOutput: none, Metadata: is(string(meta.Value()))}
}
