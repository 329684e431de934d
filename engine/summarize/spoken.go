package summarize

import (
	"encoding/json"
	"slices"
	"strings"
)

// maxNesting is how deep text is looked for in JSON.
const maxNesting = 6

// speaking are the keys of an object in which text is, in the order in which it
// is put together.
var speaking = []string{
	"text", "transcript", "transcription", "message", "summary", "segments", "utterances", "content", "output",
	"result", "payload", "data", "value", "command", "arguments", "input",
}

// silent are the types of blocks whose text isn't meant for others, or is none.
var silent = []string{"thinking", "reasoning", "redacted_thinking", "image", "image_url", "input_image"}

// spoken is the text in s: s itself or, where it is JSON, what stands at the keys
// that hold text, each on a line of its own.
func spoken(s string) string { return strings.Join(utterances(s, 0), "\n") }

func utterances(s string, depth int) []string {
	s = trim(s)
	if s == "" {
		return nil
	}
	if v, ok := decoded(s); ok {
		return within(v, depth+1)
	}
	return []string{s}
}

// decoded is the value of a text that looks like JSON and is.
func decoded(s string) (v any, ok bool) {
	if !strings.ContainsRune(`[{"`, rune(s[0])) {
		return nil, false
	}
	return v, json.Unmarshal([]byte(s), &v) == nil
}

// isBlocks reports whether a value is what messages are made of: texts, and
// objects that name their type.
func isBlocks(v any) bool {
	switch v := v.(type) {
	case string:
		return true
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !isBlocks(e) })
	case map[string]any:
		kind, _ := v["type"].(string)
		return kind != ""
	}
	return false
}

func within(v any, depth int) (out []string) {
	if depth > maxNesting {
		return nil
	}
	switch v := v.(type) {
	case string:
		return utterances(v, depth)
	case []any:
		for _, e := range v {
			out = append(out, within(e, depth+1)...)
		}
	case map[string]any:
		if kind, _ := v["type"].(string); slices.Contains(silent, kind) {
			return nil
		}
		for _, key := range speaking {
			out = append(out, within(v[key], depth+1)...)
		}
	}
	return out
}
