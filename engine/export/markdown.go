package export

import (
	"strconv"
	"strings"

	"lcm-tui/data/jstext"
	"lcm-tui/engine/assemble"
)

// markdownFormat writes Markdown: front matter, the summaries, and the turns with what tools did
// folded. A text stands in a quotation, which nothing in it can end.
type markdownFormat struct {
	plainFormat
	section string
}

func (f *markdownFormat) open(c *conversation) error {
	lines := []string{
		"---", "title: " + frontText(c.Name()), "conversation: " + strconv.FormatInt(c.ID, 10),
		"session_id: " + frontText(c.SessionID),
	}
	if c.SessionKey != "" {
		lines = append(lines, "session_key: "+frontText(c.SessionKey))
	}
	state := "active"
	if !c.Active {
		state = "archived"
	}
	lines = append(lines, "state: "+state)
	if c.span.Last > 0 {
		lines = append(lines, "first_message: "+string(jstext.Quote(visible(clock(c.span.FirstAt)))), "last_message: "+string(jstext.Quote(visible(clock(c.span.LastAt)))))
	}
	lines = append(lines, "holds: "+string(f.content), "times: UTC", "made_by: "+string(jstext.Quote(f.o.program())), "---", "", "# "+heading(c.Name()), "")
	return f.write(strings.Join(lines, "\n"), "\n")
}

// frontText returns a text as a value of the front matter. Viewers that know none show it as Markdown, so that it has no tag, no
// image and no link there.
func frontText(text string) string { return escapeFront(string(jstext.Quote(visible(text)))) }

var escapeFront = strings.NewReplacer("<", `\u003c`, "![", `!\u005b`, "](", `]\u0028`).Replace

// heading returns a text as the text of a heading: one line, of which nothing is markup.
func heading(s string) string {
	return escapeMarkdown(strings.Join(strings.Fields(visible(s)), " "))
}

var escapeMarkdown = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, "#", `\#`, "|", `\|`).Replace

// begin a section of the document, unless it is the present one.
func (f *markdownFormat) start(section string) error {
	if f.section == section || f.content == Context {
		return nil
	}
	f.section = section
	return f.write("## ", section, "\n\n")
}

func (f *markdownFormat) close() error {
	f.section = ""
	return nil
}

func (f *markdownFormat) summary(s *summary) error {
	if err := f.start("Summaries"); err != nil {
		return err
	}
	title := "### " + codeSpan(s.ID) + " · " + s.about()
	var from string
	if len(s.sources) > 0 {
		var ids []string
		for _, id := range s.sources {
			ids = append(ids, codeSpan(id))
		}
		from = "Made from " + strings.Join(ids, ", ") + "\n\n"
	}
	return f.write(title, "\n\n", from, quote(s.Content), "\n")
}

// codeSpan returns an id as code in a line.
func codeSpan(id string) string {
	id = strings.Join(strings.Fields(visible(id)), " ")
	if strings.Contains(id, "`") {
		return heading(id)
	}
	return "`" + id + "`"
}

// about says what a summary is, for people.
func (s *summary) about() string {
	out := "depth " + strconv.FormatInt(s.Depth, 10)
	if s.extent.Last > 0 {
		out += " · messages " + seqs(s.extent.First, s.extent.Last)
	}
	if s.EarliestAt.Valid() && s.LatestAt.Valid() {
		out += " · " + clock(s.EarliestAt) + " – " + clock(s.LatestAt)
	}
	out += " · " + grouped(s.Tokens) + " tokens"
	if s.ordinal >= 0 {
		out += " · in the context"
	}
	return out
}

// seqs returns a range of messages for people.
func seqs(first, last int64) string {
	if first == last {
		return "#" + grouped(first)
	}
	return "#" + grouped(first) + "–" + grouped(last)
}

func (f *markdownFormat) message(m message) error {
	if err := f.start("Messages"); err != nil {
		return err
	}
	head := "### #" + grouped(m.Seq) + " " + heading(roleName(m.role))
	if at := clock(m.CreatedAt); at != "" {
		head += " · " + heading(at)
	}
	if m.forgotten {
		head += " · forgotten"
	}
	if err := f.write(head, "\n\n"); err != nil {
		return err
	}
	for _, b := range m.blocks() {
		if err := f.block(b); err != nil {
			return err
		}
	}
	return nil
}

// roleName returns a role for people.
func roleName(role string) string {
	if role == assemble.RoleToolResult {
		return "tool"
	}
	return role
}

func (f *markdownFormat) block(b block) error {
	switch b.kind {
	case textBlock:
		return f.write(quote(b.text), "\n")
	case thinkingBlock:
		return f.fold("thinking", "", b.text)
	case callBlock:
		return f.fold("call "+b.name, "json", pretty(b.arguments()))
	case resultBlock:
		title := "result"
		if b.name != "" {
			title += " of " + b.name
		}
		if b.failed {
			title += " (failed)"
		}
		return f.fold(title, "", b.text)
	case imageBlock:
		return f.write("*", b.imageText(), "*\n\n")
	}
	return f.fold("block "+b.raw.Field("type").Text(), "json", pretty(b.raw))
}

// imageText stands for an image.
func (b block) imageText() string {
	out := "image"
	if b.mime != "" {
		out += " " + heading(b.mime)
	}
	if b.data != "" {
		out += ", " + grouped(int64(len(b.data))*3/4) + " bytes"
	}
	return out
}

// fold writes a text that is folded away, in a fence that is longer than any in it.
func (f *markdownFormat) fold(title, language, text string) error {
	text = visible(text)
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	end := "\n"
	if strings.HasSuffix(text, "\n") {
		end = ""
	}
	return f.write("<details><summary>", escapeHTML(strings.Join(strings.Fields(title), " ")), "</summary>\n\n", fence, language, "\n", text, end, fence, "\n\n</details>\n\n")
}

// longestRun returns the length of the longest run of a byte in a text.
func longestRun(s string, c byte) (longest int) {
	n := 0
	for i := range len(s) {
		if s[i] != c {
			n = 0
			continue
		}
		n++
		longest = max(longest, n)
	}
	return longest
}

// visible returns a text without characters that a file of text can't hold: control characters and
// bytes that aren't UTF-8 are shown as U+FFFD.
func visible(s string) string {
	s = jstext.Decode(s)
	if strings.IndexFunc(s, isControl) < 0 {
		return s
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		if isControl(r) {
			return '\uFFFD'
		}
		return r
	}, s)
}

// isControl reports whether a character isn't allowed in a document, other than as white space.
func isControl(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20, r >= 0x7f && r < 0xa0, r >= 0xfdd0 && r <= 0xfdef, r&0xfffe == 0xfffe:
		return true
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069: // They turn text around.
		return true
	}
	return false
}

// pretty returns JSON with line breaks, for people.
func pretty(v jstext.Value) string {
	var b strings.Builder
	indent := 0
	inString := false
	newline := func() {
		b.WriteByte('\n')
		b.WriteString(strings.Repeat("  ", min(indent, 40)))
	}
	for i := 0; i < len(v); i++ {
		c := v[i]
		if inString {
			b.WriteByte(c)
			switch c {
			case '\\':
				if i++; i < len(v) {
					b.WriteByte(v[i])
				}
			case '"':
				inString = false
			}
			continue
		}
		switch c {
		case '"':
			inString = true
			b.WriteByte(c)
		case '{', '[':
			b.WriteByte(c)
			if i+1 < len(v) && (v[i+1] == '}' || v[i+1] == ']') {
				i++
				b.WriteByte(v[i])
				continue
			}
			indent++
			newline()
		case '}', ']':
			indent--
			newline()
			b.WriteByte(c)
		case ',':
			b.WriteByte(c)
			newline()
		case ':':
			b.WriteString(": ")
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
