package main

import "time"

// scene is a picture, or a recording, of the program: the steps that lead to it from
// the first screen.
type scene struct {
	name    string // Of the file.
	title   string // In the window's frame.
	caption string // Of the first frame of a recording.
	steps   []step
	plays   bool // All steps are shown, one after the other; else the last one alone.
}

// step is a few keys, and what the screen must show after them.
type step struct {
	keys    string        // As terminal.Keys reads them.
	caption string        // What the step does, in a few words. Only recordings show it.
	shows   string        // Text that must be there, so that no wrong screen is published.
	hold    time.Duration // How long a recording shows the result; 0 is stepHold.
}

// How long a recording shows the first screen, the result of a step, and a screen
// between two keys of one step.
const (
	firstHold = 1500 * time.Millisecond
	stepHold  = 2200 * time.Millisecond
	keyHold   = 350 * time.Millisecond
)

// draw returns the SVG file of a scene.
func (s scene) draw(frames []frame) string {
	if s.plays {
		return animatedSVG(frames, s.title)
	}
	return svg(frames[len(frames)-1].screen, s.title)
}

// scenes are the pictures of the README.
var scenes = []scene{
	{name: "conversations", title: "lcm-tui – conversations", steps: []step{{shows: "conversation"}}},
	{name: "summaries", title: "lcm-tui – summaries and what they cover", steps: []step{{keys: "s", shows: "Summaries"}, {keys: "right down"}}},
	{name: "context", title: "lcm-tui – what the model sees", steps: []step{{keys: "c", shows: "Context"}}},
	{name: "messages", title: "lcm-tui – messages", steps: []step{{keys: "enter", shows: "Messages"}}},
	{name: "review", title: "lcm-tui – a change, before it is written", steps: []step{{keys: "s", shows: "Summaries"}, {keys: "d", shows: "Review"}}},
	{name: "health", title: "lcm-tui – what is wrong with a file", steps: []step{{keys: "h", shows: "Health"}, {keys: "down"}}},
	{name: "help", title: "lcm-tui – help", steps: []step{{keys: "?"}}},
}
