package summarize

import (
	"slices"
	"strings"

	"lcm-tui/data/jstext"
)

// deepest is how deep values within values are searched for text.
const deepest = 6

// textNames are the members of an object that hold text, in the order in which it
// is put together.
var textNames = []string{
	"text", "transcript", "transcription", "message", "summary",
	"segments", "utterances", "paragraphs", "alternatives", "words", "items", "results",
	"content", "output", "result", "payload", "data", "value",
	"command", "query", "arguments", "input",
}

// encodedNames are those whose strings are encoded files, not text.
var encodedNames = []string{"data", "value"}

// Blocks of these types hold no text to summarize: thinking, images, and tools. The text of
// a tool call is in its part.
var (
	textlessTypes = []string{"thinking", "reasoning", "redacted_thinking", "image", "image_url", "input_image"}
	toolTypes     = []string{
		"tool_use", "toolUse", "tool-use", "toolCall", "functionCall", "function_call",
		"function_call_output", "tool_result", "toolResult", "tool",
	}
)

func isTextless(v jstext.Value) bool { return slices.Contains(textlessTypes, v.Field("type").Text()) }

func isTool(v jstext.Value) bool { return slices.Contains(toolTypes, v.Field("type").Text()) }

// textIn is the text in a value, each on a line of its own. It is empty if the value
// has none.
func textIn(v jstext.Value) string { return strings.Join(texts(v, 0), "\n") }

// texts are the strings in a value that hold text. A string that is JSON itself stays
// as it is.
func texts(v jstext.Value, depth int) (out []string) {
	switch {
	case depth > deepest:
	case v.IsString():
		if s := v.Text(); trim(s) != "" {
			out = append(out, s)
		}
	case v.IsArray():
		for e := range v.Elements() {
			out = append(out, texts(e, depth+1)...)
		}
	case v.IsObject() && !isTextless(v) && !isTool(v):
		out = memberTexts(v, depth)
	}
	return out
}

// memberTexts are the texts in an object's members.
func memberTexts(v jstext.Value, depth int) (out []string) {
	byName := map[string]jstext.Value{}
	for name, f := range v.Fields() {
		byName[name] = f
	}
	for _, name := range textNames {
		if f := byName[name]; !f.IsString() || !slices.Contains(encodedNames, name) {
			out = append(out, texts(f, depth+1)...)
		}
	}
	return out
}
