package ui

import (
	"math"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Part is one piece of a stacked bar.
type Part struct {
	// Label is written into the piece when it fits.
	Label string
	// Share of the whole, which is 1.
	Share float64
	// Fill is the rune the piece is filled with; 0 is █.
	Fill rune
	// Style colours fill and label.
	Style lipgloss.Style
}

// Stack returns a bar of width cells with its two ends, divided among parts. A part
// with a share has at least one cell, starts with an edge where it has three,
// and has its label inside when there is room, so that parts differ
// without colour. Shares that exceed 1 together are scaled down; what is
// missing to 1 stays empty.
func Stack(width int, parts []Part) string {
	inner := width - 2
	if inner <= 0 {
		return strings.Repeat(" ", max(0, width))
	}
	var b strings.Builder
	b.WriteString("▕")
	used := 0
	for i, n := range cells(inner, parts) {
		b.WriteString(parts[i].draw(n, used > 0))
		used += n
	}
	return b.String() + strings.Repeat(" ", inner-used) + "▏"
}

// draw returns the part in n cells, with an edge towards the part before it.
func (p Part) draw(n int, edge bool) string {
	if n == 0 {
		return ""
	}
	fill := p.Fill
	if fill == 0 {
		fill = '█'
	}
	head := ""
	if edge && n >= 3 {
		head = "▕"
	}
	if w := ansi.StringWidth(p.Label); p.Label != "" && w+3 <= n {
		head += p.Label + " "
	}
	return p.Style.Render(head + strings.Repeat(string(fill), n-ansi.StringWidth(head)))
}

// cells shares n cells among parts by largest remainder.
func cells(n int, parts []Part) []int {
	sum := 0.0
	for _, p := range parts {
		sum += positiveShare(p.Share)
	}
	scale := float64(n) / max(1, sum)
	out, ends, at := make([]int, len(parts)), 0, 0.0
	for i, p := range parts { // Rounding the ends keeps the sum right.
		at += positiveShare(p.Share) * scale
		end := int(math.Round(at))
		out[i] = max(0, end-ends)
		ends = max(ends, end)
	}
	return raiseSmallParts(out, parts, n)
}

// raiseSmallParts gives every part with a share one cell, from the empty rest or
// else from the largest part.
func raiseSmallParts(out []int, parts []Part, n int) []int {
	used := 0
	for _, c := range out {
		used += c
	}
	for i, p := range parts {
		if out[i] > 0 || positiveShare(p.Share) == 0 {
			continue
		}
		if used < n {
			out[i], used = 1, used+1
			continue
		}
		big := slices.Index(out, slices.Max(out))
		if out[big] > 1 {
			out[big], out[i] = out[big]-1, 1
		}
	}
	return out
}

func positiveShare(share float64) float64 {
	if !(share > 0) { // NaN too.
		return 0
	}
	return share
}
