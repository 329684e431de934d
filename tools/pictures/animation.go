package main

import (
	"fmt"
	"html"
	"strings"
	"time"

	"lcm-tui/internal/terminal"
)

// captionHeight is the room below the screen of a recording, for the key and what it
// does.
const captionHeight = 34

// layer is a part of a recording that some frames show and others do not, such as one
// row of the screen with one text.
type layer struct {
	content string
	shown   []bool // By frame.
}

// animatedSVG draws frames that follow each other without end. Each row is written once
// for all frames that show the same in it, so that a recording is hardly larger than
// its changes.
func animatedSVG(frames []frame, title string) string {
	var b strings.Builder
	openWindow(&b, frames[0].screen, title, captionHeight)
	starts, total := frameTimes(frames)
	for _, l := range layers(frames) {
		l.draw(&b, starts, total)
	}
	closeWindow(&b)
	return b.String()
}

// frameTimes returns when each frame starts, as a part of the whole from 0 to 1, and
// how long the whole takes.
func frameTimes(frames []frame) (starts []float64, total time.Duration) {
	for _, f := range frames {
		total += f.hold
	}
	var at time.Duration
	for _, f := range frames {
		starts = append(starts, float64(at)/float64(total))
		at += f.hold
	}
	return starts, total
}

// layers splits the frames into rows and captions, each content once.
func layers(frames []frame) (out []*layer) {
	index := map[string]*layer{}
	add := func(place, i int, content string) {
		if content == "" {
			return
		}
		key := fmt.Sprintf("%d %s", place, content)
		if index[key] == nil {
			index[key] = &layer{content: content, shown: make([]bool, len(frames))}
			out = append(out, index[key])
		}
		index[key].shown[i] = true
	}
	for i, f := range frames {
		for y, row := range f.screen {
			add(y, i, rowSVG(row, y))
		}
		add(-1, i, captionSVG(f))
	}
	return out
}

// draw writes a layer, with the times at which it is visible.
func (l *layer) draw(b *strings.Builder, starts []float64, total time.Duration) {
	var values, times []string
	for i, shown := range l.shown {
		if i > 0 && shown == l.shown[i-1] {
			continue
		}
		values = append(values, visibility(shown))
		times = append(times, fmt.Sprintf("%.4f", starts[i]))
	}
	if len(values) == 1 { // Every frame shows it.
		fmt.Fprintf(b, "<g>%s</g>\n", l.content)
		return
	}
	fmt.Fprintf(b, `<g visibility="%s"><animate attributeName="visibility" calcMode="discrete" dur="%.2fs" repeatCount="indefinite" values="%s" keyTimes="%s"/>`+"\n%s</g>\n",
		visibility(l.shown[0]), total.Seconds(), strings.Join(values, ";"), strings.Join(times, ";"), l.content)
}

func visibility(shown bool) string {
	if shown {
		return "visible"
	}
	return "hidden"
}

// captionSVG draws the key of a frame in a box, and its caption.
func captionSVG(f frame) string {
	_, y := windowSize(f.screen)
	x := margin
	var b strings.Builder
	if f.key != "" {
		width := len([]rune(f.key))*cellWidth + 16
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="24" rx="5" fill="#2a303a" stroke="#56606f"/>`+"\n", x, y-4, width)
		fmt.Fprintf(&b, `<text xml:space="preserve" x="%d" y="%d" fill="%s">%s</text>`+"\n", x+8, y+13, hex(terminal.Foreground), html.EscapeString(f.key))
		x += width + 12
	}
	if f.caption != "" {
		fmt.Fprintf(&b, `<text xml:space="preserve" x="%d" y="%d" fill="#8ab4f8">%s</text>`+"\n", x, y+13, html.EscapeString(f.caption))
	}
	return b.String()
}
