package ingest

import (
	"slices"
	"strings"

	"lcm-tui/data/jstext"
)

// maxDepth is how deep text is looked for in values within values.
const maxDepth = 6

// Under which names values hold text: directly, in lists, and further down.
var (
	textNames   = []string{"text", "transcript", "transcription", "message", "summary"}
	listNames   = []string{"segments", "utterances", "paragraphs", "alternatives", "words", "items", "results"}
	nestedNames = []string{"content", "output", "result", "payload", "data", "value"}
)

// mutedTypes are the types of blocks without text for the content: reasoning and tools.
var mutedTypes = []string{
	"thinking", "reasoning", "redacted_thinking", "tool_use", "toolUse", "tool-use", "toolCall", "functionCall", "function_call",
	"function_call_output", "tool_result", "toolResult", "tool",
}

// isMuted reports whether a block adds no text to the content. A reference to a tool result
// that was moved into a file does add text.
func isMuted(b jstext.Value) bool {
	return slices.Contains(mutedTypes, b.Field("type").Text()) && b.Field("toolOutputExternalized") != jstext.True
}

// text is the stored content: the texts of the message. Content without any text is stored as
// its JSON, but content of tool calls and reasoning alone is stored as an empty text.
func (w *ingestion) text() string {
	c := w.content
	switch {
	case !c.Defined() || c == jstext.Null:
		return ""
	case c.IsString():
		return textOrJSON(c.Text())
	}
	if s := strings.Join(textsIn(c, 0), "\n"); s != "" {
		return s
	}
	silent := true
	for b := range c.Elements() {
		silent = silent && isMuted(b)
	}
	if c.IsArray() && silent {
		return ""
	}
	return string(c)
}

// textOrJSON is a text or, where the text is the JSON of an object, the texts in that object.
func textOrJSON(s string) string {
	if t := jstext.Trim(s); !strings.HasPrefix(t, "{") || !strings.HasSuffix(t, "}") {
		return s
	}
	if v := jstext.Parse(s); v.IsObject() {
		if found := strings.Join(textsIn(v, 1), "\n"); jstext.Trim(found) != "" {
			return found
		}
	}
	return s
}

// textsIn are the texts in a value.
func textsIn(v jstext.Value, depth int) (out []string) {
	if depth > maxDepth {
		return nil
	}
	switch {
	case v.IsString():
		if s := v.Text(); jstext.Trim(s) != "" {
			out = append(out, s)
		}
	case v.IsArray():
		for e := range v.Elements() {
			out = append(out, textsIn(e, depth+1)...)
		}
	case v.IsObject() && !isMuted(v):
		out = objectTexts(v, depth)
	}
	return out
}

// objectTexts are the texts in an object. The strings in data and value are encoded media.
func objectTexts(v jstext.Value, depth int) (out []string) {
	byName := map[string]jstext.Value{}
	for name, f := range v.Fields() {
		byName[name] = f
	}
	for _, n := range textNames {
		out = append(out, textsIn(byName[n], depth+1)...)
	}
	for _, n := range slices.Concat(listNames, nestedNames) {
		if f := byName[n]; f.IsObject() || f.IsArray() || f.IsString() && n != "data" && n != "value" {
			out = append(out, textsIn(f, depth+1)...)
		}
	}
	return out
}
