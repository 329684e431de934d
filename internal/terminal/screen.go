package terminal

import (
	"image/color"
	"slices"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
)

// Cell is one place of the screen. The place behind a wide character has width
// 0 and no text.
type Cell struct {
	Text   string // one grapheme; empty is a blank
	Width  int
	Fg, Bg color.Color // nil is the terminal's own
	Style  Style
}

// Style is a set of attributes.
type Style uint8

// The attributes of a cell.
const (
	Bold Style = 1 << iota
	Faint
	Italic
	Underline
	Reverse
	Strike
)

// Has reports whether s contains all of o.
func (s Style) Has(o Style) bool { return s&o == o }

// Screen is what stood on the terminal at one moment, row by row.
type Screen [][]Cell

// String returns the plain text of the screen, without blanks at the end of lines.
func (s Screen) String() string {
	var b strings.Builder
	for _, row := range s {
		line := ""
		for _, c := range row {
			switch {
			case c.Text != "":
				line += c.Text
			case c.Width > 0:
				line += " "
			}
		}
		b.WriteString(strings.TrimRight(line, " "))
		b.WriteByte('\n')
	}
	return b.String()
}

func (s Screen) equal(o Screen) bool {
	return slices.EqualFunc(s, o, func(a, b []Cell) bool { return slices.Equal(a, b) })
}

// capture copies the screen of an emulator.
func capture(e *vt.Emulator) Screen {
	s := make(Screen, e.Height())
	for y := range s {
		s[y] = make([]Cell, e.Width())
		for x := range s[y] {
			if c := e.CellAt(x, y); c != nil {
				s[y][x] = newCell(c)
			} else {
				s[y][x] = Cell{Width: 1}
			}
		}
	}
	return s
}

func newCell(c *uv.Cell) Cell {
	out := Cell{Text: c.Content, Width: c.Width, Fg: c.Style.Fg, Bg: c.Style.Bg}
	for attr, style := range map[uint8]Style{
		uv.AttrBold: Bold, uv.AttrFaint: Faint, uv.AttrItalic: Italic,
		uv.AttrReverse: Reverse, uv.AttrStrikethrough: Strike,
	} {
		if c.Style.Attrs&attr != 0 {
			out.Style |= style
		}
	}
	if c.Style.Underline != uv.UnderlineNone {
		out.Style |= Underline
	}
	return out
}
