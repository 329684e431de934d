package main

import (
	"fmt"
	"strings"
)

// Bars, boxes and shades are drawn, not written: fonts leave gaps between the
// rows, and bars made of eighths would not meet.

// box tells which ways a line leaves the middle of its cell.
var box = map[string]string{
	"─": "lr", "│": "ud", "┌": "rd", "┐": "ld", "└": "ur", "┘": "ul",
	"├": "udr", "┤": "udl", "┬": "lrd", "┴": "lru", "┼": "lrud",
	"╴": "l", "╵": "u", "╶": "r", "╷": "d",
}

// rounded corners go around from one end to the other.
var rounded = map[string]string{"╭": "rd", "╮": "ld", "╰": "ur", "╯": "ul"}

// quadrants, from the upper left clockwise.
var quadrants = map[string]string{
	"▘": "1000", "▝": "0100", "▗": "0010", "▖": "0001", "▀": "1100", "▐": "0110", "▄": "0011", "▌": "1001",
	"▛": "1101", "▜": "1110", "▟": "0111", "▙": "1011", "▚": "1010", "▞": "0101",
}

// ink is how a character comes onto the picture, as the attributes of a path;
// empty is by a font.
type ink string

const (
	written ink = ""
	filled  ink = `fill="%s" shape-rendering="crispEdges"`
	lined   ink = `stroke="%s" fill="none"`
)

// shades let that much of the cell's colour through.
var shades = map[string]ink{
	"░": `fill="%s" fill-opacity="0.25"`, "▒": `fill="%s" fill-opacity="0.5"`, "▓": `fill="%s" fill-opacity="0.75"`,
}

// glyph returns the path of a character that fills its cell at x, y, or says
// that a font has to write it.
func glyph(text string, x, y int) (kind ink, path string) {
	if ways, ok := box[text]; ok {
		return lined, straight(ways, x, y)
	}
	if ways, ok := rounded[text]; ok {
		return lined, fmt.Sprintf("M%sQ%s %s", end(ways[0], x, y), middle(x, y), end(ways[1], x, y))
	}
	if shade, ok := shades[text]; ok {
		return shade, part(x, y, 0, 0, cellWidth, cellHeight)
	}
	return blocks(text, x, y)
}

// part is a rectangle within the cell at x, y.
func part(x, y int, dx, dy, w, h float64) string {
	return fmt.Sprintf("M%g %gh%gv%gh-%gz", float64(x)+dx, float64(y)+dy, w, h, w)
}

func middle(x, y int) string {
	return fmt.Sprintf("%g %g", float64(x)+cellWidth/2., float64(y)+cellHeight/2.)
}

// end is where a line that goes that way leaves the cell.
func end(way byte, x, y int) string {
	mx, my := float64(x)+cellWidth/2., float64(y)+cellHeight/2.
	switch way {
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

func straight(ways string, x, y int) (path string) {
	if left, ok := strings.CutPrefix(ways, "lr"); ok { // in one stroke
		path, ways = fmt.Sprintf("M%sh%d", end('l', x, y), cellWidth), left
	}
	if left, ok := strings.CutPrefix(ways, "ud"); ok {
		path, ways = fmt.Sprintf("%sM%sv%d", path, end('u', x, y), cellHeight), left
	}
	for i := range len(ways) {
		path += fmt.Sprintf("M%sL%s", middle(x, y), end(ways[i], x, y))
	}
	return path
}

// blocks outlines bars of eighths, halves and quadrants.
func blocks(text string, x, y int) (kind ink, path string) {
	const w, h = float64(cellWidth), float64(cellHeight)
	if q, ok := quadrants[text]; ok {
		for i, at := range [][2]float64{{0, 0}, {w / 2, 0}, {w / 2, h / 2}, {0, h / 2}} {
			if q[i] == '1' {
				path += part(x, y, at[0], at[1], w/2, h/2)
			}
		}
		return filled, path
	}
	if n := eighths("▁▂▃▄▅▆▇█", text); n > 0 {
		return filled, part(x, y, 0, h*(1-n), w, h*n)
	}
	if n := eighths("▏▎▍▌▋▊▉", text); n > 0 {
		return filled, part(x, y, 0, 0, w*n, h)
	}
	switch text {
	case "▕":
		return filled, part(x, y, w*7/8, 0, w/8, h)
	case "▔":
		return filled, part(x, y, 0, 0, w, h/8)
	}
	return written, ""
}

// eighths is how much of a cell a bar fills, or 0 when it isn't one of those.
func eighths(bars, text string) float64 {
	for i, bar := range []rune(bars) {
		if string(bar) == text {
			return float64(i+1) / 8
		}
	}
	return 0
}
