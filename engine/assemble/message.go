package assemble

import (
	"slices"
	"strings"

	"lcm-tui/engine/token"
)

// The roles of messages as hosts know them at run time.
const (
	RoleUser       = "user"
	RoleAssistant  = "assistant"
	RoleToolResult = "toolResult"
)

// Message is a message as the host sends it. Its JSON has the members in the
// host's order.
type Message struct {
	Role string

	content value   // JSON: a string, or undefined for blocks.
	blocks  []value // What any message that isn't only text is made of.
	rest    []field // What follows the content.
	call    string  // Of a tool's result: the call that it answers.
	made    bool    // A result that stands for one that is missing.
}

// field is a member of a message.
type field struct {
	name  string
	value value
}

// MarshalJSON implements json.Marshaler.
func (m Message) MarshalJSON() ([]byte, error) {
	var o object
	o.put("role", quote(m.Role))
	if m.made {
		o.put("toolCallId", quote(m.call))
		o.put("toolName", m.rest[0].value)
	}
	o.put("content", m.body())
	for _, f := range m.rest {
		if !m.made || f.name != "toolName" {
			o.put(f.name, f.value)
		}
	}
	return []byte(o.value()), nil
}

// body is the JSON of the content.
func (m Message) body() value {
	if m.content.defined() {
		return m.content
	}
	return array(m.blocks)
}

// Text is what the message says, for people: text as it is, and of everything else
// what it is and what is in it.
func (m Message) Text() string {
	if m.content.defined() {
		return m.content.text()
	}
	out := make([]string, len(m.blocks))
	for i, b := range m.blocks {
		out[i] = readable(b)
	}
	return strings.Join(out, "\n")
}

// About is what stands beside the content: for a tool's result the tool and the
// call that it answers, for a user who sent it, for an assistant the model.
func (m Message) About() string {
	var out []string
	for _, f := range m.rest {
		switch {
		case f.name == "isError" && f.value == yes:
			out = append(out, "error")
		case slices.Contains([]string{"toolCallId", "toolName", "model"}, f.name):
			out = append(out, f.value.text())
		case f.name == senderField:
			out = append(out, string(f.value))
		}
	}
	if m.made {
		out = append(out, m.call)
	}
	return strings.Join(out, " ")
}

// readable is a block for people.
func readable(b value) string {
	kind := b.field("type").text()
	switch {
	case kind == "text":
		return b.field("text").text()
	case isCall(b):
		input := b.field("input") + b.field("arguments")
		return "[" + kind + "] " + b.field("name").text() + " " + plain(input)
	case slices.Contains(resultTypes, kind):
		return "[" + kind + "] " + plain(b.field("output")+b.field("content"))
	case kind == "thinking" && b.field("thinking").isString():
		return "[thinking] " + b.field("thinking").text()
	}
	return string(b)
}

// plain is the text of a string, and the JSON of anything else.
func plain(v value) string {
	if v.isString() {
		return v.text()
	}
	return string(v)
}

// estimate counts what is sent of a message: its content, what the model thought
// and who sent it, one a line.
func estimate(content, reasoning, sender string) int64 {
	lines := slices.DeleteFunc([]string{content, reasoning, sender}, func(s string) bool { return s == "" })
	return count(strings.Join(lines, "\n"))
}

// count estimates the tokens of a text; of one in ASCII that is its length.
func count(s string) int64 {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return token.Weighted.Count(s)
		}
	}
	return int64(len(s)+3) / 4
}
