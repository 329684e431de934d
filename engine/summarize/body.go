package summarize

import (
	"cmp"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
)

// Body is the text of a message for a summary: its content or, where that is blank as with tool
// calls, the text of its parts. It leaves out reasoning, and is empty for a message without text.
func (f Form) Body(m data.Message) string {
	text := f.cleanText(m.Content)
	if slices.ContainsFunc(m.Parts, isMedia) {
		return annotateMedia(text)
	}
	if text == "" {
		text = f.cleanText(joinParts(m.Parts, partText))
	}
	return cmp.Or(text, joinParts(m.Parts, nullArguments))
}

// joinParts are the texts of parts, each on lines of its own. Reasoning has none.
func joinParts(parts []data.Part, text func(data.Part) string) string {
	var out []string
	for _, p := range parts {
		if p.Type == "reasoning" {
			continue
		}
		if t := text(p); trim(t) != "" {
			out = append(out, t)
		}
	}
	return strings.Join(out, "\n")
}

// partText is the text of one part: its own, the input or output of a tool, or the text of the
// raw block. Arguments that were given as a string
// are taken as they are: in a message of one such call they are JSON, in which text
// is looked for, in one of several they aren't.
func partText(p data.Part) string {
	if trim(p.Text) != "" {
		return p.Text
	}
	raw := rawBlock(p)
	for _, text := range []string{textIn(toolInput(p, raw)), textIn(decodeColumn(p.ToolOutput))} {
		if text != "" {
			return text
		}
	}
	if isTextless(raw) || !raw.IsObject() {
		return textIn(raw)
	}
	return strings.Join(memberTexts(raw, 0), "\n")
}

// toolInput is what a tool was given, where the host that wrote the part kept it.
func toolInput(p data.Part, raw jstext.Value) jstext.Value {
	if trim(p.ToolInput) != "" {
		return decodeColumn(p.ToolInput)
	}
	return cmp.Or(raw.Field("input"), raw.Field("arguments"))
}

// rawBlock is the whole block that a part was made of.
func rawBlock(p data.Part) jstext.Value { return jstext.Parse(p.Metadata).Field("raw") }

// decodeColumn is the value of a column that holds JSON. What isn't JSON is a text.
func decodeColumn(column string) jstext.Value {
	if v := jstext.Parse(column); v.Defined() {
		return v
	}
	return jstext.Quote(column)
}

// nullArguments is what the reference engine writes for a call whose arguments hold no text
// that it knows, such as {"path":"a.txt"}: the word null. It does so only in a
// message that has no other text, and not where the arguments are a string.
func nullArguments(p data.Part) string {
	if !toolInput(p, rawBlock(p)).IsObject() {
		return ""
	}
	return "null"
}

// isMedia reports whether a part is a file or an image.
func isMedia(p data.Part) bool { return p.Type == "file" || p.Type == "snapshot" }

// annotateMedia adds to a message's text that media came with it.
func annotateMedia(text string) string {
	if text == "" {
		return "[Media attachment]"
	}
	return text + " [with media attachment]"
}
