package main

import (
	"fmt"
	"html"
	"strings"

	"lcm-tui/internal/terminal"
)

// The grid: every character stands in a cell of this size. All sizes are pixels.
const (
	cellWidth  = 9
	cellHeight = 20
	baseline   = 15 // Of the text, below the top of its cell.
	fontSize   = 15
	margin     = 14
	titleBar   = 30
)

const fonts = `ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Noto Sans Mono CJK SC',monospace`

// svg draws a screen in a window with rounded corners. title stands in its frame.
func svg(s terminal.Screen, title string) string {
	var b strings.Builder
	openWindow(&b, s, title, 0)
	for y, row := range s {
		b.WriteString(rowSVG(row, y))
	}
	closeWindow(&b)
	return b.String()
}

// rowSVG draws row y of a screen.
func rowSVG(row []terminal.Cell, y int) string {
	var b strings.Builder
	for _, s := range segments(row, y) {
		s.draw(&b)
	}
	return b.String()
}

// openWindow draws the window around a screen of the size of s. Below the screen it
// leaves room for that many pixels.
func openWindow(b *strings.Builder, s terminal.Screen, title string, below int) {
	width, height := windowSize(s)
	height += below
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">`+"\n", width, height, width, height)
	fmt.Fprintf(b, "<title>%s</title>\n", html.EscapeString(title))
	fmt.Fprintf(b, `<rect x="0.5" y="0.5" width="%d" height="%d" rx="9" fill="%s" stroke="#3a3f4a"/>`+"\n", width-1, height-1, hex(terminal.Background))
	for i, c := range []string{"#e0645c", "#d8a84a", "#6fae62"} {
		fmt.Fprintf(b, `<circle cx="%d" cy="17" r="5" fill="%s"/>`+"\n", margin+6+i*18, c)
	}
	fmt.Fprintf(b, `<g font-family="%s" font-size="%d">`+"\n", fonts, fontSize)
	fmt.Fprintf(b, `<text xml:space="preserve" x="%d" y="22" fill="#8a909c" font-size="13" text-anchor="middle">%s</text>`+"\n", width/2, html.EscapeString(title))
}

func closeWindow(b *strings.Builder) { b.WriteString("</g>\n</svg>\n") }

// windowSize returns the size of the window around a screen.
func windowSize(s terminal.Screen) (width, height int) {
	columns := 0
	if len(s) > 0 {
		columns = len(s[0])
	}
	return columns*cellWidth + 2*margin, len(s)*cellHeight + 2*margin + titleBar
}
