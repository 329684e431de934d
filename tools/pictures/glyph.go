package main

import (
	"fmt"
	"strings"
)

// Bars, boxes and shades are drawn as paths. Fonts leave gaps between the rows, and
// bars made of eighths would not meet.

// boxLines names the sides of the cell that each box character reaches from the
// middle: l, r, u, d.
var boxLines = map[string]string{
	"─": "lr", "│": "ud", "┌": "rd", "┐": "ld", "└": "ur", "┘": "ul",
	"├": "udr", "┤": "udl", "┬": "lrd", "┴": "lru", "┼": "lrud",
	"╴": "l", "╵": "u", "╶": "r", "╷": "d",
}

// roundedCorners names the two sides that each rounded corner joins.
var roundedCorners = map[string]string{"╭": "rd", "╮": "ld", "╰": "ur", "╯": "ul"}

// quadrants tells which quarters of the cell are filled, from the upper left
// clockwise.
var quadrants = map[string]string{
	"▘": "1000", "▝": "0100", "▗": "0010", "▖": "0001", "▀": "1100", "▐": "0110", "▄": "0011", "▌": "1001",
	"▛": "1101", "▜": "1110", "▟": "0111", "▙": "1011", "▚": "1010", "▞": "0101",
}

// glyphKind is how a character is drawn: the attributes of its path, or byFont.
type glyphKind string

const (
	byFont   glyphKind = ""
	filled   glyphKind = `fill="%s" shape-rendering="crispEdges"`
	outlined glyphKind = `stroke="%s" fill="none"`
)

// shades are characters that show a part of their colour.
var shades = map[string]glyphKind{
	"░": `fill="%s" fill-opacity="0.25"`, "▒": `fill="%s" fill-opacity="0.5"`, "▓": `fill="%s" fill-opacity="0.75"`,
}

// glyph returns the path of a character that fills its cell at x, y, or says
// that a font has to write it.
func glyph(text string, x, y int) (kind glyphKind, path string) {
	if sides, ok := boxLines[text]; ok {
		return outlined, boxPath(sides, x, y)
	}
	if sides, ok := roundedCorners[text]; ok {
		return outlined, fmt.Sprintf("M%sQ%s %s", edge(sides[0], x, y), middle(x, y), edge(sides[1], x, y))
	}
	if shade, ok := shades[text]; ok {
		return shade, rectangle(x, y, 0, 0, cellWidth, cellHeight)
	}
	return blockGlyph(text, x, y)
}

// rectangle returns the path of a rectangle within the cell at x, y.
func rectangle(x, y int, dx, dy, w, h float64) string {
	return fmt.Sprintf("M%g %gh%gv%gh-%gz", float64(x)+dx, float64(y)+dy, w, h, w)
}

// middle returns the middle of the cell at x, y.
func middle(x, y int) string {
	return fmt.Sprintf("%g %g", float64(x)+cellWidth/2., float64(y)+cellHeight/2.)
}

// edge returns the middle of a side of the cell at x, y.
func edge(side byte, x, y int) string {
	mx, my := float64(x)+cellWidth/2., float64(y)+cellHeight/2.
	switch side {
	case 'l':
		mx = float64(x)
	case 'r':
		mx = float64(x + cellWidth)
	case 'u':
		my = float64(y)
	default:
		my = float64(y + cellHeight)
	}
	return fmt.Sprintf("%g %g", mx, my)
}

// boxPath returns the path of lines from the middle of the cell to its sides.
func boxPath(sides string, x, y int) (path string) {
	if left, ok := strings.CutPrefix(sides, "lr"); ok { // One line instead of two halves.
		path, sides = fmt.Sprintf("M%sh%d", edge('l', x, y), cellWidth), left
	}
	if left, ok := strings.CutPrefix(sides, "ud"); ok {
		path, sides = fmt.Sprintf("%sM%sv%d", path, edge('u', x, y), cellHeight), left
	}
	for i := range len(sides) {
		path += fmt.Sprintf("M%sL%s", middle(x, y), edge(sides[i], x, y))
	}
	return path
}

// blockGlyph returns the path of a bar made of eighths, halves or quadrants.
func blockGlyph(text string, x, y int) (kind glyphKind, path string) {
	const w, h = float64(cellWidth), float64(cellHeight)
	if q, ok := quadrants[text]; ok {
		for i, at := range [][2]float64{{0, 0}, {w / 2, 0}, {w / 2, h / 2}, {0, h / 2}} {
			if q[i] == '1' {
				path += rectangle(x, y, at[0], at[1], w/2, h/2)
			}
		}
		return filled, path
	}
	if n := eighths("▁▂▃▄▅▆▇█", text); n > 0 {
		return filled, rectangle(x, y, 0, h*(1-n), w, h*n)
	}
	if n := eighths("▏▎▍▌▋▊▉", text); n > 0 {
		return filled, rectangle(x, y, 0, 0, w*n, h)
	}
	switch text {
	case "▕":
		return filled, rectangle(x, y, w*7/8, 0, w/8, h)
	case "▔":
		return filled, rectangle(x, y, 0, 0, w, h/8)
	}
	return byFont, ""
}

// eighths returns the part of the cell that a bar fills, or 0 when text is not in bars.
func eighths(bars, text string) float64 {
	for i, bar := range []rune(bars) {
		if string(bar) == text {
			return float64(i+1) / 8
		}
	}
	return 0
}
