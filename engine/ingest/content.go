package ingest

import (
	"slices"
	"strings"

	"lcm-tui/data/jstext"
)

// maxDepth is how deep text is looked for in values within values.
const maxDepth = 6

// Under which names objects hold text: as a string, in a list, and in any value.
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

// text returns the stored content: the texts of the message. Content without any text is stored as
// its JSON, but content of tool calls and reasoning alone is stored as an empty text.
func (w *ingestion) text() string {
	c := w.content
	switch {
	case !c.Defined() || c == jstext.Null:
		return ""
	case c.IsString():
		return textIn(c, 0)
	}
	if s := textIn(c, 0); s != "" {
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

// textIn returns the text of a value: a string or the text in the JSON that it is, the texts of a
// list's elements, the text of the first member of an object that holds one. It is empty where
// there is none, and below maxDepth.
func textIn(v jstext.Value, depth int) string {
	switch {
	case depth > maxDepth:
		return ""
	case v.IsString():
		return textInString(v.Text(), depth)
	case v.IsArray():
		var texts []string
		for e := range v.Elements() {
			if s := textIn(e, depth+1); !isBlank(s) {
				texts = append(texts, s)
			}
		}
		return strings.Join(texts, "\n")
	case v.IsObject() && !isMuted(v):
		return textInObject(v, depth)
	}
	return ""
}

// textInString returns a text or, where the text is the JSON of an object or a list, the text in that.
func textInString(s string, depth int) string {
	if !looksLikeJSON(s) {
		return s
	}
	if found := textIn(jstext.Parse(jstext.Trim(s)), depth+1); !isBlank(found) {
		return found
	}
	return s
}

// looksLikeJSON reports whether a text begins and ends as the JSON of an object or a list does.
func looksLikeJSON(s string) bool {
	s = jstext.Trim(s)
	return strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") || strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]")
}

func isBlank(s string) bool { return jstext.Trim(s) == "" }

// textInObject returns the text in the first member of an object that has one.
func textInObject(v jstext.Value, depth int) string {
	byName := map[string]jstext.Value{}
	for name, f := range v.Fields() {
		byName[name] = f
	}
	for _, n := range textNames {
		if s := byName[n].Text(); !isBlank(s) {
			return s
		}
	}
	for _, n := range listNames {
		if f := byName[n]; f.IsArray() {
			if s := textIn(f, depth+1); s != "" {
				return s
			}
		}
	}
	for _, n := range nestedNames {
		if s := textIn(byName[n], depth+1); !isBlank(s) {
			return s
		}
	}
	return ""
}
