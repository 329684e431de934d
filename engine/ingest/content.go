package ingest

import (
	"slices"
	"strings"

	"lcm-tui/data/jstext"
)

// deepest is how deep text is looked for in values within values.
const deepest = 6

// Under which names values hold text: directly, in lists, and further down.
var (
	textNames   = []string{"text", "transcript", "transcription", "message", "summary"}
	listNames   = []string{"segments", "utterances", "paragraphs", "alternatives", "words", "items", "results"}
	nestedNames = []string{"content", "output", "result", "payload", "data", "value"}
)

// mute are the types of blocks that say nothing: thoughts, and tools.
var mute = []string{
	"thinking", "reasoning", "redacted_thinking", "tool_use", "toolUse", "tool-use", "toolCall", "functionCall", "function_call",
	"function_call_output", "tool_result", "toolResult", "tool",
}

// isMute: what stands for a result that was moved into a file does say something.
func isMute(b jstext.Value) bool {
	return slices.Contains(mute, b.Field("type").Text()) && b.Field("toolOutputExternalized") != jstext.True
}

// text is the content that is stored: what is said in the message. Where nothing
// can be made out that is the JSON of what there is; but of calls and thoughts
// alone nothing.
func (w *work) text() string {
	c := w.content
	switch {
	case !c.Defined() || c == jstext.Null:
		return ""
	case c.IsString():
		return spoken(c.Text())
	}
	if s := strings.Join(said(c, 0), "\n"); s != "" {
		return s
	}
	silent := true
	for b := range c.Elements() {
		silent = silent && isMute(b)
	}
	if c.IsArray() && silent {
		return ""
	}
	return string(c)
}

// spoken is a text, or what is said in it if it is the JSON of an object.
func spoken(s string) string {
	if t := jstext.Trim(s); !strings.HasPrefix(t, "{") || !strings.HasSuffix(t, "}") {
		return s
	}
	if v := jstext.Parse(s); v.IsObject() {
		if found := strings.Join(said(v, 1), "\n"); jstext.Trim(found) != "" {
			return found
		}
	}
	return s
}

// said are the texts in a value.
func said(v jstext.Value, depth int) (out []string) {
	if depth > deepest {
		return nil
	}
	switch {
	case v.IsString():
		if s := v.Text(); jstext.Trim(s) != "" {
			out = append(out, s)
		}
	case v.IsArray():
		for e := range v.Elements() {
			out = append(out, said(e, depth+1)...)
		}
	case v.IsObject() && !isMute(v):
		out = saidIn(v, depth)
	}
	return out
}

// saidIn are the texts in an object. One that isn't of a type of text has media in
// its data.
func saidIn(v jstext.Value, depth int) (out []string) {
	byName := map[string]jstext.Value{}
	for name, f := range v.Fields() {
		byName[name] = f
	}
	for _, n := range textNames {
		out = append(out, said(byName[n], depth+1)...)
	}
	for _, n := range slices.Concat(listNames, nestedNames) {
		if f := byName[n]; f.IsObject() || f.IsArray() || f.IsString() && n != "data" && n != "value" {
			out = append(out, said(f, depth+1)...)
		}
	}
	return out
}
