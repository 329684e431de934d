package provenance

import (
	"strings"

	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
)

// maxText is how many bytes of a message are compared.
const maxText = 1 << 20

// SourceText returns the text of a message that sentences are compared with, to which the spans of a
// source refer: its content, and what its parts add to that. A tool's call and result may stand
// in parts only. Reasoning is left out: no summary is made of it. Of a text over 1 MB it is the
// start.
func SourceText(m lcm.Message) string {
	b := textBuilder{}
	b.add(m.Content)
	for _, p := range m.Parts {
		if p.Type == "reasoning" {
			continue
		}
		b.add(p.Text)
		b.addValue(p.ToolInput)
		b.addValue(p.ToolOutput)
		b.add(p.FileName)
	}
	if b.text.Len() == 0 {
		for _, p := range m.Parts {
			if p.Type != "reasoning" {
				b.addValue(string(jstext.Parse(p.Metadata).Field("raw")))
			}
		}
	}
	return b.text.String()
}

// textBuilder joins texts of a message, each once.
type textBuilder struct{ text strings.Builder }

func (b *textBuilder) add(s string) {
	s = strings.TrimSpace(s)
	if left := maxText - b.text.Len(); len(s) > left {
		s = strings.ToValidUTF8(s[:max(0, left)], "")
	}
	if s == "" || strings.Contains(b.text.String(), s) {
		return
	}
	if b.text.Len() > 0 {
		b.text.WriteByte('\n')
	}
	b.text.WriteString(s)
}

// addValue adds the texts and numbers of a column that holds JSON, or the column where it holds
// none.
func (b *textBuilder) addValue(column string) {
	v := jstext.Parse(column)
	if !v.Defined() {
		b.add(column)
		return
	}
	b.addJSON("", v, 0)
}

// maxNesting is how deep JSON is read.
const maxNesting = 16

func (b *textBuilder) addJSON(name string, v jstext.Value, depth int) {
	switch {
	case depth > maxNesting:
	case v.IsObject():
		for field, inner := range v.Fields() {
			if depth > 0 || field != "type" && field != "id" {
				b.addJSON(field, inner, depth+1)
			}
		}
	case v.IsArray():
		for inner := range v.Elements() {
			b.addJSON(name, inner, depth+1)
		}
	case v.IsString():
		b.add(v.Text())
	case name != "" && v.Defined() && v != "null":
		b.add(name + " " + string(v))
	}
}
