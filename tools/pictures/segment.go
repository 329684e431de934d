package main

import (
	"fmt"
	"html"
	"image/color"
	"strings"

	"lcm-tui/internal/terminal"
)

// segment is a sequence of neighbouring cells of one row that look the same.
type segment struct {
	x, y, cells int
	text        string
	kind        glyphKind
	path        string // Of what is drawn; empty for text.
	fg, bg      string // bg is empty where the background of the window shows.
	style       terminal.Style
	single      bool // It joins no other segment: it is wide, or maybe from another font.
}

// segments cuts row y of a screen where its look changes, and around every cell whose
// glyph might not be as wide as the grid.
func segments(row []terminal.Cell, y int) (out []segment) {
	for x, c := range row {
		if c.Width == 0 && c.Text == "" {
			continue // The second half of a wide character.
		}
		r := newSegment(c)
		r.x, r.y = margin+x*cellWidth, margin+titleBar+y*cellHeight
		if r.kind, r.path = glyph(c.Text, r.x, r.y); r.kind != byFont {
			r.single = false
		}
		if n := len(out) - 1; n >= 0 && out[n].joins(r) {
			out[n].text += r.text
			out[n].path += r.path
			out[n].cells += r.cells
			continue
		}
		out = append(out, r)
	}
	return out
}

// joins reports whether o, the next segment, can be byFont as one with r.
func (r segment) joins(o segment) bool {
	return !r.single && !o.single && r.kind == o.kind && r.fg == o.fg && r.bg == o.bg && r.style == o.style
}

// newSegment returns the segment of one cell, with its colours as they are drawn.
func newSegment(c terminal.Cell) segment {
	r := segment{text: c.Text, cells: max(1, c.Width), style: c.Style &^ (terminal.Reverse | terminal.Faint)}
	if r.text == "" {
		r.text = " "
	}
	var fg, bg color.Color = terminal.Foreground, terminal.Background
	if c.Fg != nil {
		fg = c.Fg
	}
	if c.Bg != nil {
		bg = c.Bg
	}
	if c.Style.Has(terminal.Reverse) {
		fg, bg = bg, fg
	}
	if c.Style.Has(terminal.Faint) {
		fg = mix(fg, bg)
	}
	r.fg = hex(fg)
	if r.bg = hex(bg); r.bg == hex(terminal.Background) {
		r.bg = ""
	}
	r.single = !isLatin(c.Text) || c.Width > 1
	return r
}

// isLatin reports whether every monospaced font draws the text in the same width.
func isLatin(text string) bool {
	for _, c := range text {
		if c > 0x17f {
			return false
		}
	}
	return true
}

func (r segment) draw(b *strings.Builder) {
	width := r.cells * cellWidth
	if r.bg != "" {
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s" shape-rendering="crispEdges"/>`+"\n", r.x, r.y, width, cellHeight, r.bg)
	}
	if r.kind != byFont {
		fmt.Fprintf(b, `<path d="%s" `+string(r.kind)+"/>\n", r.path, r.fg)
		return
	}
	text, x := r.text, r.x
	if !r.style.Has(terminal.Underline) && !r.style.Has(terminal.Strike) { // blanks show nothing
		text = strings.TrimRight(text, " ")
		bare := strings.TrimLeft(text, " ")
		x += cellWidth * (len(text) - len(bare))
		width -= cellWidth * (len(r.text) - len(bare))
		text = bare
	}
	if text != "" {
		fmt.Fprintf(b, `<text xml:space="preserve" x="%d" y="%d" fill="%s" textLength="%d" lengthAdjust="spacingAndGlyphs"%s>%s</text>`+"\n",
			x, r.y+baseline, r.fg, width, attributes(r.style), html.EscapeString(removeControls(text)))
	}
}

func attributes(s terminal.Style) (out string) {
	if s.Has(terminal.Bold) {
		out += ` font-weight="bold"`
	}
	if s.Has(terminal.Italic) {
		out += ` font-style="italic"`
	}
	var lines []string
	if s.Has(terminal.Underline) {
		lines = append(lines, "underline")
	}
	if s.Has(terminal.Strike) {
		lines = append(lines, "line-through")
	}
	if lines != nil {
		out += ` text-decoration="` + strings.Join(lines, " ") + `"`
	}
	return out
}

// removeControls removes the characters that XML does not allow in any form.
func removeControls(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, s)
}

func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// mix returns the colour in the middle of two, for faint text.
func mix(a, b color.Color) color.Color {
	ar, ag, ab, _ := a.RGBA()
	br, bg, bb, _ := b.RGBA()
	return color.RGBA{uint8((ar + br) >> 9), uint8((ag + bg) >> 9), uint8((ab + bb) >> 9), 0xff}
}
