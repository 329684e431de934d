package summarize

import (
	"cmp"
	"slices"
	"strings"

	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
)

// Body returns the text of a message for a summary: what it says or, where that is blank as with tool
// calls, the text of its blocks, else of the columns of its parts. Reasoning is left out. It is
// empty for a message without text.
func (f Form) Body(m lcm.Message) string {
	body := messageText.of(ownText(&m))
	if body == "" && len(m.Parts) > 0 {
		body = cmp.Or(messageText.in(assemble.Content(&m)), columnTexts(m.Parts))
	}
	return messageText.of(f.withoutInjected(body))
}

const (
	mediaOnly   = "[Media attachment]"
	mediaBeside = "[with media attachment]"
)

// ownText returns the content of a message. If media came with it, it is the text beside them,
// and a note of them.
func ownText(m *lcm.Message) string {
	if !slices.ContainsFunc(m.Parts, isMedia) {
		return m.Content
	}
	var texts []string
	for _, p := range m.Parts {
		if text := clean(p.Text); text != "" && !isMedia(p) {
			texts = append(texts, text)
		}
	}
	text := cmp.Or(strings.Join(texts, "\n"), messageText.of(m.Content))
	switch {
	case text == "":
		return mediaOnly
	case strings.Contains(text, mediaBeside):
		return text
	}
	return text + " " + mediaBeside
}

// isMedia reports whether a part is a file or an image, by its type or that of its block.
func isMedia(p lcm.Part) bool {
	if p.Type == "file" || p.Type == "snapshot" {
		return true
	}
	if !strings.Contains(p.Metadata, "ype") { // Neither rawType nor raw.type.
		return false
	}
	meta := jstext.Parse(p.Metadata)
	kind := meta.Field("rawType")
	if trim(kind.Text()) == "" {
		kind = meta.Field("raw").Field("type")
	}
	return slices.Contains(mediaTypes, typeName(kind))
}

// columnTexts returns the text in the columns of parts, of which each column of a tool is below its
// name.
func columnTexts(parts []lcm.Part) string {
	var out []string
	add := func(head, text string) {
		if text != "" {
			out = append(out, head+text)
		}
	}
	for _, p := range parts {
		if p.Type == "reasoning" {
			continue
		}
		text := jstext.Quote(p.Text)
		if p.NoText { // The reference engine writes the JSON of NULL.
			text = jstext.Null
		}
		add("", messageText.in(text))
		add(columnHead("Tool input", p), messageText.in(decodeColumn(p.ToolInput)))
		add(columnHead("Tool output", p), messageText.in(decodeColumn(p.ToolOutput)))
	}
	return strings.Join(out, "\n\n")
}

// columnHead returns the line above the text of a tool's column.
func columnHead(what string, p lcm.Part) string {
	if name := trim(p.ToolName); name != "" {
		what += " (" + name + ")"
	}
	return what + ":\n"
}

// decodeColumn returns the value of a column that holds JSON. What isn't JSON is a text. A blank
// column has no value.
func decodeColumn(column string) jstext.Value {
	text := trim(column)
	if text == "" {
		return ""
	}
	return cmp.Or(jstext.Parse(column), jstext.Quote(text))
}
