package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Sizes of the picture of the packages, in pixels.
const (
	pictureWidth = 940
	boxHeight    = 30
	boxGap       = 14
	rowHeight    = 62
	bandLabel    = 150 // Room on the left for what a band is.
	bandMargin   = 16
)

// band is a layer of the program. A package belongs to the first band that has the first
// element of its path.
type band struct {
	roots  []string
	label  []string
	colour string
}

var bands = []band{
	{[]string{"main", "cli"}, []string{"command line"}, "#8ab4f8"},
	{[]string{"views", "ui"}, []string{"screens"}, "#c58af9"},
	{[]string{"clients", "mcp", "work", "metrics", "fleet"}, []string{"agents, service,", "other machines"}, "#78d9ec"},
	{[]string{"ops"}, []string{"operations:", "change the file"}, "#f28b82"},
	{[]string{"engine", "prompts"}, []string{"engine:", "the rules of LCM"}, "#fdd663"},
	{[]string{"data"}, []string{"data:", "files on disk"}, "#81c995"},
	{[]string{"internal", "tools"}, []string{"internal: tests,", "demo; tools"}, "#9aa0a6"},
}

// everyday are small packages that many others import. Arrows to them would hide the rest.
var everyday = []string{"internal/parallel", "internal/plural", "internal/regularfile", "internal/sorting"}

// box is a package in the picture.
type box struct {
	x, y, width int
	colour      string
}

// packagesSVG draws the packages in layers. Arrows point from a package to what it imports,
// without the imports that follow from others, and without those of everyday, which most packages
// import.
func packagesSVG(all []goPackage) string {
	direct := directImports(all)
	boxes, labels, height := placePackages(all, direct)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" font-family="%s" font-size="13">`+"\n", pictureWidth, height, pictureWidth, height, fonts)
	b.WriteString("<title>The packages of lcm-tui, and which of them import which</title>\n")
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="9" fill="#14171c"/>`+"\n", pictureWidth, height)
	b.WriteString(labels)
	for _, path := range slices.Sorted(maps.Keys(direct)) {
		for _, i := range direct[path] {
			if slices.Contains(everyday, i) {
				continue
			}
			drawImport(&b, boxes[path], boxes[i])
		}
	}
	for _, path := range slices.Sorted(maps.Keys(boxes)) {
		drawBox(&b, boxes[path], path)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// placePackages gives every package a place, and draws the background of the bands. Within a band a
// package stands above those of the band that it imports.
func placePackages(all []goPackage, direct map[string][]string) (boxes map[string]box, labels string, height int) {
	boxes = map[string]box{}
	var text strings.Builder
	y := bandMargin
	for _, b := range bands {
		rows := b.rows(all, direct)
		if len(rows) == 0 {
			continue
		}
		tall := len(rows)*rowHeight + bandMargin/2
		fmt.Fprintf(&text, `<rect x="%d" y="%d" width="%d" height="%d" rx="7" fill="%s" fill-opacity="0.07"/>`+"\n", bandMargin, y, pictureWidth-2*bandMargin, tall, b.colour)
		for i, line := range b.label {
			fmt.Fprintf(&text, `<text xml:space="preserve" x="%d" y="%d" fill="%s">%s</text>`+"\n", 2*bandMargin, y+30+i*18, b.colour, line)
		}
		for i, row := range rows {
			sortByImporters(row, boxes, direct)
			placeRow(boxes, row, y+bandMargin+i*rowHeight, b.colour)
		}
		y += tall + bandMargin
	}
	return boxes, text.String(), y
}

// rows splits the packages of a band into rows: the lower, the fewer of the band they need.
func (b band) rows(all []goPackage, direct map[string][]string) (rows [][]string) {
	var own []string
	for _, p := range all {
		if root, _, _ := strings.Cut(p.path, "/"); slices.Contains(b.roots, root) {
			own = append(own, p.path)
		}
	}
	var level func(path string) int
	level = func(path string) int {
		n := 0
		for _, i := range direct[path] {
			if slices.Contains(own, i) {
				n = max(n, level(i)+1)
			}
		}
		return n
	}
	for _, path := range own {
		n := level(path)
		for len(rows) <= n {
			rows = append(rows, nil)
		}
		rows[n] = append(rows[n], path)
	}
	slices.Reverse(rows)
	return wrapRows(rows)
}

// wrapRows splits the rows that are wider than the room beside the label.
func wrapRows(rows [][]string) (out [][]string) {
	for _, row := range rows {
		width, from := 0, 0
		for i, path := range row {
			if width += boxWidth(path) + boxGap; width > pictureWidth-bandLabel-2*bandMargin && i > from {
				out = append(out, row[from:i])
				width, from = boxWidth(path)+boxGap, i
			}
		}
		out = append(out, row[from:])
	}
	return out
}

// placeRow puts the boxes of a row side by side, in the middle of the picture.
func placeRow(boxes map[string]box, row []string, y int, colour string) {
	width := -boxGap
	for _, path := range row {
		width += boxWidth(path) + boxGap
	}
	x := bandLabel + (pictureWidth-bandLabel-width)/2
	for _, path := range row {
		boxes[path] = box{x: x, y: y, width: boxWidth(path), colour: colour}
		x += boxWidth(path) + boxGap
	}
}

// sortByImporters puts the packages of a row in the order of those above that import them,
// so that few arrows cross.
func sortByImporters(row []string, boxes map[string]box, direct map[string][]string) {
	middle := map[string]float64{}
	for _, path := range row {
		sum, n := 0, 0
		for _, from := range slices.Sorted(maps.Keys(direct)) {
			if at, ok := boxes[from]; ok && slices.Contains(direct[from], path) {
				sum, n = sum+at.x+at.width/2, n+1
			}
		}
		if n > 0 {
			middle[path] = float64(sum) / float64(n)
		} else {
			middle[path] = pictureWidth / 2
		}
	}
	slices.SortStableFunc(row, func(a, b string) int { return cmp.Compare(middle[a], middle[b]) })
}

// boxLabel returns the path without the folder that the band stands for.
func boxLabel(path string) string {
	_, name, found := strings.Cut(path, "/")
	if !found {
		return path
	}
	return name
}

func boxWidth(path string) int { return len(boxLabel(path))*8 + 22 }

func drawBox(b *strings.Builder, at box, path string) {
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" rx="6" fill="#1d222a" stroke="%s"/>`+"\n", at.x, at.y, at.width, boxHeight, at.colour)
	fmt.Fprintf(b, `<text xml:space="preserve" x="%d" y="%d" fill="#e8eaed" text-anchor="middle">%s</text>`+"\n", at.x+at.width/2, at.y+20, boxLabel(path))
}

// drawImport draws a curve from the lower edge of a package to the upper edge of the one that it imports.
func drawImport(b *strings.Builder, from, to box) {
	x1, y1, x2, y2 := from.x+from.width/2, from.y+boxHeight, to.x+to.width/2, to.y
	bend := max(20, (y2-y1)/2)
	fmt.Fprintf(b, `<path d="M%d %dC%d %d %d %d %d %d" fill="none" stroke="%s" stroke-opacity="0.55"/>`+"\n", x1, y1, x1, y1+bend, x2, y2-bend, x2, y2, from.colour)
}
