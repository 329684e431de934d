package views

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/engine/search"
	"lcm-tui/ui"
)

// HitStyle returns how a match is marked: also where there is no colour.
func HitStyle(s *ui.Styles) lipgloss.Style { return s.Warn.Bold(true).Underline(true) }

// MarkSpans returns a text with some spans in a style. Every piece goes through clean, because the
// text is that of others.
func MarkSpans(text string, spans []search.Span, style lipgloss.Style, clean func(string) string) string {
	var b strings.Builder
	at := 0
	for _, sp := range spans {
		if sp.From < at || sp.To > len(text) || sp.To <= sp.From {
			continue
		}
		b.WriteString(clean(text[at:sp.From]))
		b.WriteString(renderLines(style, clean(text[sp.From:sp.To])))
		at = sp.To
	}
	b.WriteString(clean(text[at:]))
	return b.String()
}

// UnderlineMarks underlines what marks finds in a styled text, line by line.
func UnderlineMarks(styled string, marks func(string) []search.Span) string {
	find := func(text string) (out [][2]int) {
		for _, sp := range marks(text) {
			out = append(out, [2]int{sp.From, sp.To})
		}
		return out
	}
	lines := strings.Split(styled, "\n")
	for i, l := range lines {
		if len(marks(ansi.Strip(l))) > 0 {
			lines[i] = ui.UnderlineFound(l, find)
		}
	}
	return strings.Join(lines, "\n")
}

// FindText returns what finds a text in whatever case.
func FindText(needle string) func(string) []search.Span {
	needle = lowerInPlace(needle)
	return func(text string) (out []search.Span) {
		low := lowerInPlace(text)
		if needle == "" || len(low) != len(text) { // Invalid UTF-8 has other lengths.
			return nil
		}
		for at := 0; ; {
			i := strings.Index(low[at:], needle)
			if i < 0 {
				return out
			}
			out = append(out, search.Span{From: at + i, To: at + i + len(needle)})
			at += i + len(needle)
		}
	}
}

// lowerInPlace returns a text in lower case, with every character at its place: one whose lower case has another length stays.
func lowerInPlace(text string) string {
	return strings.Map(func(r rune) rune {
		if low := unicode.ToLower(r); utf8.RuneLen(low) == utf8.RuneLen(r) {
			return low
		}
		return r
	}, text)
}

// Excerpt returns a text in one line of width cells, with what find finds underlined. It is the start of the text, or
// what is around the first match where the start has none. A nil find finds nothing.
func Excerpt(text string, width int, find func(string) []search.Span) string {
	return CutToMark(LongExcerpt(text, width, find), width)
}

// LongExcerpt works as Excerpt. A line with a match is longer than width: CutToMark cuts it once other texts stand
// before it.
func LongExcerpt(text string, width int, find func(string) []search.Span) string {
	start := ui.LineN(text, width)
	if find == nil {
		return start
	}
	spans := find(text)
	switch {
	case len(spans) == 0:
		return start
	case IsMarked(UnderlineMarks(start, find)):
		return UnderlineMarks(ui.LineN(text, 2*width), find)
	}
	line, in := search.Snippet(text, spans)
	if clean := ui.Sanitize(line); clean != line {
		line, in = clean, find(clean)
	}
	return UnderlineMarks(line, func(string) []search.Span { return in })
}

// IsMarked reports whether something in a styled text is underlined as a match.
func IsMarked(styled string) bool { return strings.Contains(styled, ui.UnderlineOn) }

// CutToMark cuts a styled line to width cells so that the first match that is underlined in it is seen.
func CutToMark(styled string, width int) string {
	before, rest, marked := strings.Cut(styled, ui.UnderlineOn)
	if !marked {
		return ui.Cut(styled, width)
	}
	match, _, _ := strings.Cut(rest, ui.UnderlineOff)
	from := ansi.StringWidth(before)
	return CutAround(styled, from, from+ansi.StringWidth(match), width)
}

// CutAround cuts a styled line to width cells so that a match between two cells is seen: where it would be cut off, the
// line begins a little before it, at a word if one begins there.
func CutAround(styled string, from, to, width int) string {
	lead := width / 3
	if to < width || from <= lead {
		return ui.Cut(styled, width)
	}
	start := from - lead
	skipped := ansi.TruncateLeft(ansi.Truncate(ansi.Strip(styled), from, ""), start, "")
	if strings.HasPrefix(skipped, "…") {
		start++
	}
	if blank := strings.IndexByte(skipped, ' '); blank >= 0 && blank <= 2*lead/3 {
		start += ansi.StringWidth(skipped[:blank+1])
	}
	return ui.Cut(ansi.TruncateLeft(styled, start, "…"), width)
}

// renderLines renders every line of a text in a style. Lipgloss would fill the lines of a text
// to one width.
func renderLines(style lipgloss.Style, text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = style.Render(l)
		}
	}
	return strings.Join(lines, "\n")
}

// JoinLines makes one text of lines.
func JoinLines(lines []string) string { return strings.Join(lines, "\n") }
