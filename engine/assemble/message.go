package assemble

import (
	"slices"
	"strings"

	"lcm-tui/data/jstext"
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

	content jstext.Value   // JSON: a string, or undefined for blocks.
	blocks  []jstext.Value // What any message that isn't only text is made of.
	rest    []field        // What follows the content.
	call    string         // Of a tool's result: the call that it answers.
	made    bool           // A result that stands for one that is missing.
}

// field is a member of a message.
type field struct {
	name  string
	value jstext.Value
}

// MarshalJSON implements json.Marshaler.
func (m Message) MarshalJSON() ([]byte, error) { return m.AppendJSON(nil), nil }

// AppendJSON appends the JSON of a message, which is as JavaScript writes it.
func (m Message) AppendJSON(b []byte) []byte {
	b = append(b, `{"role":`...)
	b = append(b, jstext.Quote(m.Role)...)
	if m.made {
		b = member(b, "toolCallId", jstext.Quote(m.call))
		b = member(b, "toolName", m.rest[0].value)
	}
	b = append(b, `,"content":`...)
	if m.content.Defined() {
		b = append(b, m.content...)
	} else {
		b = appendArray(b, m.blocks)
	}
	for _, f := range m.rest {
		if !m.made || f.name != "toolName" {
			b = member(b, f.name, f.value)
		}
	}
	return append(b, '}')
}

// member appends a further member of an object, if there is one.
func member(b []byte, name string, v jstext.Value) []byte {
	if !v.Defined() {
		return b
	}
	b = append(b, ',')
	b = append(b, jstext.Quote(name)...)
	b = append(b, ':')
	return append(b, v...)
}

func appendArray(b []byte, vs []jstext.Value) []byte {
	b = append(b, '[')
	for i, v := range vs {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, v...)
	}
	return append(b, ']')
}

// body returns the JSON of the content.
func (m Message) body() jstext.Value {
	if m.content.Defined() {
		return m.content
	}
	return jstext.Array(m.blocks)
}

// Text returns what the message says, for people: text as it is, and of everything else
// what it is and what is in it.
func (m Message) Text() string {
	if m.content.Defined() {
		return m.content.Text()
	}
	out := make([]string, len(m.blocks))
	for i, b := range m.blocks {
		out[i] = readable(b)
	}
	return strings.Join(out, "\n")
}

// About returns what stands beside the content: for a tool's result the tool and the
// call that it answers, for a user who sent it, for an assistant the model.
func (m Message) About() string {
	var out []string
	for _, f := range m.rest {
		switch {
		case f.name == "isError" && f.value == jstext.True:
			out = append(out, "error")
		case slices.Contains([]string{"toolCallId", "toolName", "model"}, f.name):
			out = append(out, f.value.Text())
		case f.name == senderField:
			out = append(out, string(f.value))
		}
	}
	if m.made {
		out = append(out, m.call)
	}
	return strings.Join(out, " ")
}

// readable returns a block for people.
func readable(b jstext.Value) string {
	kind := b.Field("type").Text()
	switch {
	case kind == "text":
		return b.Field("text").Text()
	case isCall(b):
		input := b.Field("input") + b.Field("arguments")
		return "[" + kind + "] " + b.Field("name").Text() + " " + plain(input)
	case slices.Contains(resultTypes, kind):
		return "[" + kind + "] " + plain(b.Field("output")+b.Field("content"))
	case kind == "thinking" && b.Field("thinking").IsString():
		return "[thinking] " + b.Field("thinking").Text()
	}
	return string(b)
}

// plain returns the text of a string, and the JSON of anything else.
func plain(v jstext.Value) string {
	if v.IsString() {
		return v.Text()
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
