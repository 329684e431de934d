package export

import (
	"strings"
)

// rich writes a text with the markup that people write in chats: paragraphs, fenced code, inline
// code, headings and bold. All else stays as it was typed.
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

// paragraph returns a paragraph, a heading or a table as HTML.
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
	return "<p>" + inline(strings.Join(lines, "\n")) + "</p>"
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
