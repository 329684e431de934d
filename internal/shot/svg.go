package main

import (
	"fmt"
	"html"
	"image/color"
	"strings"

	"lcm-tui/internal/terminal"
)

// The grid: every character stands in a cell of this size, in pixels.
const (
	cellWidth  = 9
	cellHeight = 20
	baseline   = 15 // of the text, below the top of its cell
	fontSize   = 15
	margin     = 14
	titleBar   = 30
)

const fonts = `ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Noto Sans Mono CJK SC',monospace`

// stretch is a row of cells of one look.
type stretch struct {
	x, y, cells int
	text        string
	ink         ink
	path        string // of what is drawn
	fg, bg      string // bg is empty where the background shows
	style       terminal.Style
	alone       bool // wide, or maybe from another font
}

// svg draws a screen in a window with rounded corners.
func svg(s terminal.Screen, title string) string {
	cols := 0
	if len(s) > 0 {
		cols = len(s[0])
	}
	width, height := cols*cellWidth+2*margin, len(s)*cellHeight+2*margin+titleBar
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n", html.EscapeString(title))
	fmt.Fprintf(&b, `<rect x="0.5" y="0.5" width="%d" height="%d" rx="9" fill="%s" stroke="#3a3f4a"/>`+"\n", width-1, height-1, hex(terminal.Background))
	for i, c := range []string{"#e0645c", "#d8a84a", "#6fae62"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="17" r="5" fill="%s"/>`+"\n", margin+6+i*18, c)
	}
	fmt.Fprintf(&b, `<g font-family="%s" font-size="%d" xml:space="preserve">`+"\n", fonts, fontSize)
	fmt.Fprintf(&b, `<text x="%d" y="22" fill="#8a909c" font-size="13" text-anchor="middle">%s</text>`+"\n", width/2, html.EscapeString(title))
	for y, row := range s {
		for _, r := range runs(row, y) {
			r.draw(&b)
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// runs cuts a row where its look changes, and around every cell whose glyph
// might not be as wide as the grid.
func runs(row []terminal.Cell, y int) (out []stretch) {
	for x, c := range row {
		if c.Width == 0 && c.Text == "" {
			continue // behind a wide one
		}
		r := look(c)
		r.x, r.y = margin+x*cellWidth, margin+titleBar+y*cellHeight
		if r.ink, r.path = glyph(c.Text, r.x, r.y); r.ink != written {
			r.alone = false
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

// joins reports whether o can be written in one go behind r.
func (r stretch) joins(o stretch) bool {
	return !r.alone && !o.alone && r.ink == o.ink && r.fg == o.fg && r.bg == o.bg && r.style == o.style
}

// look works out the colours of a cell.
func look(c terminal.Cell) stretch {
	r := stretch{text: c.Text, cells: max(1, c.Width), style: c.Style &^ (terminal.Reverse | terminal.Faint)}
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
		fg = between(fg, bg)
	}
	r.fg = hex(fg)
	if r.bg = hex(bg); r.bg == hex(terminal.Background) {
		r.bg = ""
	}
	r.alone = !plain(c.Text) || c.Width > 1
	return r
}

// plain reports whether every monospaced font has the text in the same width.
func plain(text string) bool {
	for _, c := range text {
		if c > 0x17f {
			return false
		}
	}
	return true
}

func (r stretch) draw(b *strings.Builder) {
	width := r.cells * cellWidth
	if r.bg != "" {
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s" shape-rendering="crispEdges"/>`+"\n", r.x, r.y, width, cellHeight, r.bg)
	}
	if r.ink != written {
		fmt.Fprintf(b, `<path d="%s" `+string(r.ink)+"/>\n", r.path, r.fg)
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
		fmt.Fprintf(b, `<text x="%d" y="%d" fill="%s" textLength="%d" lengthAdjust="spacingAndGlyphs"%s>%s</text>`+"\n",
			x, r.y+baseline, r.fg, width, attributes(r.style), html.EscapeString(clean(text)))
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

// clean leaves out what XML does not allow in any form.
func clean(s string) string {
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

// between is the colour in the middle of two, for faint text.
func between(a, b color.Color) color.Color {
	ar, ag, ab, _ := a.RGBA()
	br, bg, bb, _ := b.RGBA()
	return color.RGBA{uint8((ar + br) >> 9), uint8((ag + bg) >> 9), uint8((ab + bb) >> 9), 0xff}
}
