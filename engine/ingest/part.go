package ingest

import (
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
)

// partTypes are the types of parts by the types of their blocks. Other blocks become an
// agent's part.
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

// parts returns the stored parts of the message.
func (w *ingestion) parts() []lcm.RawPart {
	c := w.content
	switch {
	case !c.Defined():
		return w.shapeless()
	case c.IsString(): // Of a tool's result only the metadata name the call.
		return []lcm.RawPart{textPart("text", storedText(w.shareContent(c.Text())), w.metadata(0))}
	case !c.IsArray():
		meta := new(jstext.Object)
		meta.Put("originalRole", jstext.Quote(w.runtime))
		w.putReasoning(meta)
		meta.Put("source", `"non-array-content"`)
		meta.Put("raw", c)
		return []lcm.RawPart{textPart("agent", orNull(w.Content), meta)}
	}
	var out []lcm.RawPart
	for b := range c.Elements() {
		out = append(out, w.part(len(out), b))
	}
	return out
}

// shapeless returns the part of a message without content: of a command that the user
// ran, or of no known shape.
func (w *ingestion) shapeless() []lcm.RawPart {
	command, output := w.message.Field("command"), w.message.Field("output")
	meta := w.metadata(0)
	if command.IsString() && output.IsString() {
		w.Content = "$ " + command.Text() + "\n" + output.Text()
		meta.Put("source", `"bash-exec"`)
		meta.Put("command", command)
		return []lcm.RawPart{textPart("text", storedText(w.Content), meta)}
	}
	meta.Put("source", `"unknown-message-shape"`)
	meta.Put("raw", w.message)
	return []lcm.RawPart{textPart("agent", null, meta)}
}

// part returns the i-th part, made from a block.
func (w *ingestion) part(i int, b jstext.Value) lcm.RawPart {
	p := lcm.RawPart{Type: partType(b), Ordinal: int64(i), Metadata: w.meta(i, b)}
	names := callIDNames[:2]
	if p.Type == "tool" {
		names = callIDNames
	}
	p.ToolCallID = w.callID(firstText(b, names...))
	if w.rules.ContentOnly {
		return p
	}
	if p.Text = firstText(b, "text", "thinking"); p.Text.Null && p.Type == "reasoning" {
		p.Text = summary(b)
	}
	p.Text.Text = w.shareContent(p.Text.Text)
	p.ToolName = w.toolName(firstText(b, "name", "toolName", "tool_name").Text)
	p.ToolInput = toolValue(b, "tool_input", "input", "arguments", "toolInput")
	p.ToolOutput = toolValue(b, "tool_output", "output", "toolOutput")
	return p
}

// shareContent returns a text, in the memory of the content where it is that: a long one is held once.
func (w *ingestion) shareContent(text string) string {
	if text == w.Content {
		return w.Content
	}
	return text
}

// callIDNames are the members that name the call of a tool. Blocks of other types than tools have
// only the first two.
var callIDNames = []string{"toolCallId", "tool_call_id", "toolUseId", "tool_use_id", "call_id", "id"}

// callIDOf returns the id of the call that a message names, which may be empty.
func callIDOf(message jstext.Value) data.Stored { return firstText(message, callIDNames...) }

// callID returns the id of the tool call that a part belongs to: its own, or the message's.
func (w *ingestion) callID(own data.Stored) data.Stored {
	if own.Null && w.Role == "tool" {
		return callIDOf(w.message)
	}
	return own
}

func (w *ingestion) toolName(own string) data.Stored {
	if own == "" && w.Role == "tool" {
		own = firstText(w.message, "toolName", "tool_name").Text
	}
	return orNull(own)
}

// summary returns the provider's summary of a model's reasoning.
func summary(b jstext.Value) data.Stored {
	var lines []string
	for s := range b.Field("summary").Elements() {
		if text := s.Field("text").Text(); text != "" {
			lines = append(lines, text)
		} else if s.IsString() {
			lines = append(lines, s.Text())
		}
	}
	return orNull(strings.Join(lines, "\n"))
}

// null is the cell NULL.
var null = data.Stored{Null: true}

func storedText(s string) data.Stored { return data.Stored{Text: s} }

func orNull(s string) data.Stored { return data.Stored{Text: s, Null: s == ""} }

// firstText returns the first of an object's members that is a text.
func firstText(v jstext.Value, names ...string) data.Stored {
	found := map[string]jstext.Value{}
	for name, f := range v.Fields() {
		if f.IsString() && slices.Contains(names, name) {
			found[name] = f
		}
	}
	for _, n := range names {
		if f, ok := found[n]; ok {
			return storedText(f.Text())
		}
	}
	return null
}

// toolValue returns the JSON of the first of an object's members that is there, or the text of the one
// that is called plain.
func toolValue(v jstext.Value, plain string, names ...string) data.Stored {
	for _, n := range names {
		if f := v.Field(n); f.Defined() {
			return storedText(string(f))
		}
	}
	return firstText(v, plain)
}

// textPart returns a part of a text and metadata.
func textPart(kind string, text data.Stored, meta *jstext.Object) lcm.RawPart {
	return lcm.RawPart{Type: kind, Text: text, ToolCallID: null, ToolName: null, ToolInput: null, ToolOutput: null, Metadata: storedText(string(meta.Value()))}
}
