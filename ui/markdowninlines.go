package ui

import (
	"html"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	extensionast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// inlineWriter turns the inlines of one block into spans.
type inlineWriter struct {
	source []byte
	out    []byte
	styles []styleStart
	// broken says that a line of the source ended before what comes next.
	broken bool
}

// styleStart is where in the text a style begins.
type styleStart struct {
	style spanStyle
	at    int
}

// inlines returns what stands in the block n, on the ground of style.
func (w *markdownWriter) inlines(n ast.Node, style spanStyle) []span {
	inline := inlineWriter{source: w.source}
	inline.children(n, style)
	text, spans := string(inline.out), make([]span, len(inline.styles))
	for i, s := range inline.styles {
		end := len(text)
		if i+1 < len(inline.styles) {
			end = inline.styles[i+1].at
		}
		spans[i] = span{text[s.at:end], s.style}
	}
	return spans
}

func (w *inlineWriter) children(n ast.Node, style spanStyle) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.node(c, style)
	}
}

func (w *inlineWriter) node(n ast.Node, style spanStyle) {
	switch n := n.(type) {
	case *ast.Text:
		w.text(n, style)
	case *ast.CodeSpan:
		style.role = roleCode
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if t, ok := c.(*ast.Text); ok {
				w.add(oneLine(t.Segment.Value(w.source)), style)
			}
		}
	case *ast.Emphasis:
		style.bold, style.italic = style.bold || n.Level > 1, style.italic || n.Level == 1
		w.children(n, style)
	case *extensionast.Strikethrough:
		style.strike = true
		w.children(n, style)
	case *ast.Link:
		w.link(n, n.Destination, n.Title, style)
	case *ast.Image:
		w.link(n, n.Destination, n.Title, style)
	case *ast.AutoLink:
		style.role = roleLink
		w.add(string(n.Label(w.source)), style)
	case *ast.RawHTML:
		w.add(oneLine(n.Segments.Value(w.source)), style)
	case *extensionast.TaskCheckBox:
		w.add(taskSign(n)+" ", style)
	default:
		w.children(n, style)
	}
}

// taskSign returns how the box of a task is drawn.
func taskSign(box *extensionast.TaskCheckBox) string {
	if box.IsChecked {
		return "[✓]"
	}
	return "[ ]"
}

func (w *inlineWriter) text(n *ast.Text, style spanStyle) {
	value := string(n.Segment.Value(w.source))
	if !n.IsRaw() {
		value = unescapeMarkdown(value)
	}
	w.add(value, style)
	switch {
	case n.HardLineBreak():
		w.add("\n", style)
	case n.SoftLineBreak():
		w.broken = true
	}
}

// link writes the text of a link or an image, and where it leads unless the text says it.
func (w *inlineWriter) link(n ast.Node, destination, title []byte, style spanStyle) {
	from, linked := len(w.out), style
	if linked.role == roleText {
		linked.role = roleLink
	}
	w.children(n, linked)
	label := strings.TrimSpace(string(w.out[from:]))
	address := unescapeMarkdown(string(destination))
	if strings.TrimPrefix(address, "mailto:") == label {
		address = ""
	}
	if len(title) > 0 {
		address = strings.TrimSpace(address + ` "` + oneLine([]byte(unescapeMarkdown(string(title)))) + `"`)
	}
	switch {
	case address == "":
	case label == "":
		w.add(address, linked)
	default:
		style.role = roleAddress
		w.add(" ("+address+")", style)
	}
}

// add appends text. A line's end before it is a blank, but not between characters of two cells:
// their scripts have none.
func (w *inlineWriter) add(text string, style spanStyle) {
	if text == "" {
		return
	}
	if n := len(w.styles) - 1; n < 0 || w.styles[n].style != style {
		w.styles = append(w.styles, styleStart{style, len(w.out)})
	}
	if w.broken && !(endsWide(w.out) && beginsWide(text)) {
		w.out = append(w.out, ' ')
	}
	w.broken, w.out = false, append(w.out, text...)
}

func beginsWide(text string) bool {
	_, cells := clusterSize(text)
	return cells > 1
}

func endsWide(text []byte) bool {
	r, _ := utf8.DecodeLastRune(text)
	return ansi.StringWidth(string(r)) > 1
}

// oneLine returns b with blanks for the ends of its lines.
func oneLine(b []byte) string {
	return strings.ReplaceAll(string(b), "\n", " ")
}

// unescapeMarkdown resolves backslashes and the entities of HTML. An entity can stand for any
// character, so that what comes of it is sanitized.
func unescapeMarkdown(s string) string {
	at := strings.IndexAny(s, `\&`)
	if at < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for ; at >= 0; at = strings.IndexAny(s, `\&`) {
		b.WriteString(s[:at])
		s = s[at:]
		switch end := strings.IndexByte(s[:min(len(s), 40)], ';'); {
		case s[0] == '\\' && len(s) > 1 && util.IsPunct(s[1]):
			b.WriteByte(s[1])
			s = s[2:]
		case s[0] == '&' && end > 0:
			b.WriteString(strings.ReplaceAll(Sanitize(html.UnescapeString(s[:end+1])), "\n", " "))
			s = s[end+1:]
		default:
			b.WriteByte(s[0])
			s = s[1:]
		}
	}
	b.WriteString(s)
	return b.String()
}
