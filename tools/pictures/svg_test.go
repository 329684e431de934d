package main

import (
	"encoding/xml"
	"errors"
	"image/color"
	"io"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"lcm-tui/internal/terminal"
)

// text lays out characters one a cell, wide ones with an empty cell behind.
func text(s string, c terminal.Cell) (row []terminal.Cell) {
	for _, r := range s {
		c.Text, c.Width = string(r), 1
		if r >= 0x1100 && r < 0x2500 || r >= 0x3000 {
			c.Width = 2
		}
		row = append(row, c)
		if c.Width == 2 {
			row = append(row, terminal.Cell{})
		}
	}
	return row
}

func pad(row []terminal.Cell, cols int) []terminal.Cell {
	for len(row) < cols {
		row = append(row, terminal.Cell{Width: 1})
	}
	return row
}

func TestSVG(t *testing.T) {
	t.Parallel()
	red, blue := color.RGBA{0xd0, 0x40, 0x40, 0xff}, color.RGBA{0x20, 0x40, 0x80, 0xff}
	marked := text("bold", terminal.Cell{Style: terminal.Bold, Fg: red})
	marked = append(marked, text("it", terminal.Cell{Style: terminal.Italic | terminal.Underline})...)
	marked = append(marked, text("re", terminal.Cell{Style: terminal.Reverse})...)
	marked = append(marked, text("fa", terminal.Cell{Style: terminal.Faint | terminal.Strike, Bg: blue})...)
	const cols = 12
	s := terminal.Screen{
		pad(text("a <b> & c", terminal.Cell{}), cols),
		pad(marked, cols),
		pad(append(text("x渡船y", terminal.Cell{Bg: blue}), text("●", terminal.Cell{Fg: red})...), cols),
		pad(text("┌─╮▒█▎▕▀▄▁▚", terminal.Cell{Fg: red}), cols),
		pad(text("│ ╰┼╌", terminal.Cell{}), cols),
		pad(text("  ├─┬┘░░ end", terminal.Cell{}), cols),
	}
	got := svg(s, `title & "more"`)
	golden.RequireEqual(t, got)
	wellFormed(t, got)
}

func TestSVGOfNothing(t *testing.T) {
	t.Parallel()
	wellFormed(t, svg(nil, ""))
}

func wellFormed(t *testing.T, s string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(s))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("not XML: %v", err)
		}
	}
}

// TestGrid: whatever stands in a row, its pieces cover the row without a gap.
func TestGrid(t *testing.T) {
	t.Parallel()
	row := pad(append(text("ab渡é●█", terminal.Cell{}), text("cd", terminal.Cell{Style: terminal.Bold})...), 14)
	x := margin
	for _, r := range segments(row, 0) {
		if r.x != x {
			t.Errorf("%q begins at %d, want %d", r.text, r.x, x)
		}
		x += r.cells * cellWidth
	}
	if want := margin + len(row)*cellWidth; x != want {
		t.Errorf("the row ends at %d, want %d", x, want)
	}
}
