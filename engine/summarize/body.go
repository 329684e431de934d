package summarize

import (
	"encoding/json"
	"slices"
	"strings"

	"lcm-tui/data"
)

// Body is what of a message goes into a summary: its text, or what its parts hold
// where the text is blank, as with calls of tools. Reasoning isn't part of it. It
// is empty for a message that says nothing.
func (f Form) Body(m data.Source) string {
	text := f.clean(m.Content)
	if text == "" {
		text = f.clean(partsText(m.Parts))
	}
	if slices.ContainsFunc(m.Parts, media) {
		return annotated(text)
	}
	return text
}

// partsText is the text of parts, each on lines of its own.
func partsText(parts []data.Part) string {
	var out []string
	for _, p := range parts {
		if text := partText(p); text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, "\n")
}

// partText is the text of one part: its own, that of the whole block as the host
// kept it, or what a tool was given and gave back.
func partText(p data.Part) string {
	if p.Type == "reasoning" {
		return ""
	}
	if media(p) {
		return trim(p.Text)
	}
	var meta struct {
		Raw json.RawMessage `json:"raw"`
	}
	_ = json.Unmarshal([]byte(p.Metadata), &meta) // Without it the columns remain.
	for _, source := range []string{p.Text, string(meta.Raw), p.ToolInput, p.ToolOutput} {
		if text := spoken(source); text != "" {
			return text
		}
	}
	return unspoken(p.ToolInput)
}

// unspoken is what the reference engine writes for a call whose arguments hold no
// text that it knows, such as {"path":"a.txt"}: the word null, though nothing at
// all where they are a string of JSON. Both are kept, so that the same source has
// the same text.
func unspoken(input string) string {
	input = trim(input)
	if input == "" || input[0] != '{' {
		return ""
	}
	return "null"
}

// media reports whether a part is a file or an image.
func media(p data.Part) bool { return p.Type == "file" || p.Type == "snapshot" }

// annotated says of a message's text that something came with it.
func annotated(text string) string {
	if text == "" {
		return "[Media attachment]"
	}
	return text + " [with media attachment]"
}
