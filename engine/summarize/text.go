package summarize

import (
	"cmp"
	"slices"
	"strings"

	"lcm-tui/data/jstext"
	"lcm-tui/engine/thinking"
)

// reader reads texts as a model is to see them. It cleans each, and each one in JSON by itself.
type reader struct{ clean func(string) string }

var (
	messageText = reader{clean}
	// summaryText is without the reasoning of the model that wrote the summary.
	summaryText = reader{func(text string) string { return thinking.TrimStored(clean(text)) }}
)

// of returns a text without what is no text. Of a list or an object in JSON it is only what text
// there is in it, which may be none.
func (r reader) of(text string) string {
	text = trim(text)
	if v := container(text); v.Defined() {
		return strings.Join(r.fragments(v, 0), "\n")
	}
	return r.clean(text)
}

// in returns the text in a value. It is empty for an undefined one, and the JSON of a number, true,
// false or null.
func (r reader) in(v jstext.Value) string {
	if v.IsString() {
		return r.of(v.Text())
	}
	return cmp.Or(strings.Join(r.fragments(v, 0), "\n"), r.of(string(v)))
}

// container returns the value of a text that is a list or an object.
func container(text string) jstext.Value {
	if text == "" || text[0] != '[' && text[0] != '{' || text[len(text)-1] != text[0]+2 { // "]" and "}" are two behind.
		return ""
	}
	return jstext.Parse(text)
}

// levels is how many values within each other are searched for text.
const levels = 8

// ownMembers are the members of an object whose strings are its text, and otherMembers those in
// which further text is looked for, in their orders.
var (
	ownMembers   = []string{"text", "caption", "alt", "title", "summary"}
	otherMembers = []string{
		"value", "content", "parts", "items", "message", "messages", "input", "arguments",
		"output", "result", "results", "data", "query", "command",
	}
)

// Objects of these types hold no text, and only their own.
var (
	reasoningTypes = []string{"reasoning", "thinking", "redacted_thinking"}
	mediaTypes     = []string{"file", "image", "snapshot"}
)

// typeName returns the name of a type as it is compared.
func typeName(v jstext.Value) string { return strings.ToLower(trim(v.Text())) }

// fragments returns the texts in a value, none of them empty.
func (r reader) fragments(v jstext.Value, level int) (out []string) {
	switch {
	case level == levels:
	case v.IsString():
		if text := r.clean(v.Text()); text != "" {
			out = []string{text}
		}
	case v.IsArray():
		for e := range v.Elements() {
			out = append(out, r.fragments(e, level+1)...)
		}
	case v.IsObject():
		out = r.memberFragments(v, level)
	}
	return out
}

// memberFragments returns the texts in an object.
func (r reader) memberFragments(v jstext.Value, level int) (out []string) {
	members := map[string]jstext.Value{}
	for name, member := range v.Fields() {
		members[name] = member
	}
	types := []string{typeName(members["type"]), typeName(members["rawType"])}
	isOf := func(kinds []string) bool {
		return slices.ContainsFunc(types, func(t string) bool { return slices.Contains(kinds, t) })
	}
	if isOf(reasoningTypes) {
		return nil
	}
	for _, name := range ownMembers {
		if text := r.clean(members[name].Text()); text != "" {
			out = append(out, text)
		}
	}
	if isOf(mediaTypes) {
		return out
	}
	for _, name := range otherMembers {
		out = append(out, r.fragments(members[name], level+1)...)
	}
	return out
}
