package export

import (
	"strings"

	"lcm-tui/data"
)

// rich writes a text with the markup that people write in chats: paragraphs, fenced code, inline
// code, headings, bullets and bold. All else stays as it was typed.
func (f *htmlFormat) rich(text string) error {
	text = visible(text)
	if len(text) > maxRich {
		return f.write("<pre>", htmlEscapes.Replace(text), "</pre>")
	}
	var para []string
	flush := func() error {
		if len(para) == 0 {
			return nil
		}
		out := paragraph(para)
		para = para[:0]
		return f.write(out)
	}
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if mark := fenceOf(line); mark != "" {
			if err := flush(); err != nil {
				return err
			}
			end := fenceEnd(lines, i+1, mark)
			if err := f.write("<pre><code>", htmlEscapes.Replace(strings.Join(lines[i+1:end], "\n")), "</code></pre>"); err != nil {
				return err
			}
			i = end
			continue
		}
		if strings.TrimSpace(line) == "" {
			if err := flush(); err != nil {
				return err
			}
			continue
		}
		para = append(para, line)
	}
	return flush()
}

// maxRich is the length in bytes of the longest text whose markup is shown.
const maxRich = 1 << 20

// fenceEnd returns the line that ends a fence, or behind the last line.
func fenceEnd(lines []string, from int, mark string) int {
	for i := from; i < len(lines); i++ {
		s := strings.TrimSpace(lines[i])
		if len(s) >= len(mark) && strings.Trim(s, mark[:1]) == "" {
			return i
		}
	}
	return len(lines)
}

// paragraph returns a paragraph, a heading, a list or a table as HTML.
func paragraph(lines []string) string {
	table := true
	for _, l := range lines {
		table = table && strings.HasPrefix(strings.TrimSpace(l), "|")
	}
	if table {
		return `<pre class="table">` + htmlEscapes.Replace(strings.Join(lines, "\n")) + "</pre>"
	}
	if level := headingLevel(lines[0]); level > 0 {
		out := `<p class="heading">` + inline(strings.TrimSpace(lines[0][level:])) + "</p>"
		if len(lines) > 1 {
			out += paragraph(lines[1:])
		}
		return out
	}
	for i, l := range lines {
		if _, _, ok := bullet(l); ok {
			if i > 0 {
				return "<p>" + inline(strings.Join(lines[:i], "\n")) + "</p>" + bulletList(lines[i:])
			}
			return bulletList(lines)
		}
	}
	return "<p>" + inline(strings.Join(lines, "\n")) + "</p>"
}

// bullet returns how far an item of a list is indented, and its text.
func bullet(line string) (indent int, text string, ok bool) {
	rest := strings.TrimLeft(line, " ")
	if len(rest) < 3 || !strings.Contains("-*+", rest[:1]) || rest[1] != ' ' {
		return 0, "", false
	}
	return len(line) - len(rest), strings.TrimSpace(rest[2:]), true
}

// maxLists is how many lists stand within each other; items that are indented more stay in the last.
const maxLists = 8

// bulletList returns lines that begin with an item as lists, and what follows as a paragraph.
func bulletList(lines []string) string {
	var b strings.Builder
	var open []int // The indents of the lists that are open.
	rest := ""
	for i, l := range lines {
		indent, text, ok := bullet(l)
		if !ok && strings.HasPrefix(l, " ") { // The item goes on.
			b.WriteString("\n" + inline(strings.TrimSpace(l)))
			continue
		}
		if !ok {
			rest = paragraph(lines[i:])
			break
		}
		for len(open) > 1 && indent < open[len(open)-1] {
			b.WriteString("</li></ul>")
			open = open[:len(open)-1]
		}
		if n := len(open); n == 0 || indent > open[n-1]+1 && n < maxLists {
			b.WriteString("<ul><li>")
			open = append(open, indent)
		} else {
			b.WriteString("</li><li>")
		}
		b.WriteString(inline(text))
	}
	return b.String() + strings.Repeat("</li></ul>", len(open)) + rest
}

// firstWords returns how a text begins, without markup, for the line of what is folded.
func firstWords(text string) string {
	const most = 120 // Characters.
	words := []rune(strings.NewReplacer("**", "", "`", "").Replace(strings.Join(strings.Fields(data.StartOfText(strings.TrimLeft(text, "# \n"), 8*most)), " ")))
	if len(words) > most {
		return strings.TrimSpace(string(words[:most])) + "…"
	}
	return string(words)
}

// headingLevel returns how many marks of a heading a line begins with, or 0.
func headingLevel(line string) int {
	n := 0
	for n < len(line) && line[n] == '#' {
		n++
	}
	if n == 0 || n > 6 || n >= len(line) || line[n] != ' ' {
		return 0
	}
	return n
}

// inline returns a text with its code and bold words.
func inline(s string) string {
	var b strings.Builder
	for s != "" {
		at := strings.IndexAny(s, "`*")
		if at < 0 {
			break
		}
		tag, mark := "code", "`"
		if s[at] == '*' {
			tag, mark = "strong", "**"
		}
		end := -1
		if strings.HasPrefix(s[at:], mark) {
			end = strings.Index(s[at+len(mark):], mark)
		}
		if end <= 0 || strings.Contains(s[at+len(mark):at+len(mark)+end], "\n") {
			b.WriteString(htmlEscapes.Replace(s[:at+1]))
			s = s[at+1:]
			continue
		}
		b.WriteString(htmlEscapes.Replace(s[:at]))
		b.WriteString("<" + tag + ">" + htmlEscapes.Replace(s[at+len(mark):at+len(mark)+end]) + "</" + tag + ">")
		s = s[at+2*len(mark)+end:]
	}
	b.WriteString(htmlEscapes.Replace(s))
	return b.String()
}
