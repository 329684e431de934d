package main

import "time"

// scene is a picture, or a recording, of the program: the steps that lead to it from
// the first screen.
type scene struct {
	name    string // Of the file.
	title   string // In the window's frame.
	shows   string // Text that the first screen must show.
	caption string // Of the first frame of a recording.
	steps   []step
	plays   bool // All steps are shown, one after the other; else the last one alone.
	pending bool // The database is one of a host of 1.0 that prepares summaries.
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
	{name: "conversations", title: "lcm-tui – conversations", steps: []step{{shows: "1 error"}}},
	{name: "summaries", title: "lcm-tui – summaries and what they cover", steps: []step{{keys: "s", shows: "Summaries"}, {keys: "right down"}}},
	{name: "context", title: "lcm-tui – what the model sees", steps: []step{{keys: "c", shows: "Context"}}},
	{name: "messages", title: "lcm-tui – messages", steps: []step{{keys: "enter", shows: "Messages"}}},
	{name: "review", title: "lcm-tui – a change, before it is written", steps: []step{{keys: "s", shows: "Summaries"}, {keys: "d", shows: "Review"}}},
	{name: "health", title: "lcm-tui – what is wrong with a file", steps: []step{{keys: "h", shows: "Health"}, {keys: "down"}}},
	{
		name: "pending", title: "lcm-tui – what the host prepares in the background", pending: true,
		steps: []step{{keys: "down", shows: "2 of"}, {keys: "down", shows: "3 of"}, {keys: "enter", shows: "Messages"}, {keys: "7", shows: "publish now"}, {keys: "down"}},
	},
	{name: "sources", title: "lcm-tui – where the sentences of a summary came from", steps: []step{{keys: "s", shows: "Summaries"}, {keys: "w", shows: "copied"}, {keys: "down", shows: "2 of"}}},
	{
		name: "search", title: "lcm-tui – search", plays: true, shows: "demo.db", caption: "What was said about timeouts of webhooks?",
		steps: []step{
			{keys: "F", caption: "F searches everything, from every screen.", shows: "What you can type"},
			{keys: "t i m e o u t", caption: "Hits while you type.", shows: "18 hits"},
			{keys: "space r o l e : a s s i s t a n t", caption: "Filters narrow them.", shows: "role:assistant"},
			{keys: "enter", caption: "Enter goes to the message, in its place.", shows: "hit 1 of"},
			{keys: "n", caption: "n goes on to the next hit.", shows: "hit 2 of"},
			{keys: "w", caption: "Where did this message go?", shows: "d0"},
			{keys: "esc*2", caption: "Back in the list of hits.", shows: "Find"},
		},
	},
	{
		name: "space", title: "lcm-tui – what fills the file, and what may go", plays: true, shows: "demo.db", caption: "What fills this file?",
		steps: []step{
			{keys: "z", caption: "Every table, with its indexes.", shows: "message_parts", hold: 3 * time.Second},
			{keys: "2", caption: "Every conversation; also agents, lanes, months.", shows: "INC-81", hold: 3 * time.Second},
			{keys: "7", caption: "What each way of cleaning gives back.", shows: "prune copies", hold: 3 * time.Second},
			{keys: "down*2", caption: "Texts that summaries cover can be forgotten."},
			{keys: "enter", caption: "The review. Nothing is written.", shows: "nothing is written yet", hold: 4 * time.Second},
			{keys: "a", caption: "Applied. What went is in the trash.", shows: "applied as #1", hold: 3 * time.Second},
			{keys: "u", caption: "Undo: every byte is back.", shows: "undone", hold: 3 * time.Second},
		},
	},
	{name: "help", title: "lcm-tui – help", steps: []step{{keys: "?", shows: "transplant into it"}}},
	{
		name: "repair", title: "lcm-tui – repair and undo", plays: true, shows: "1 error", caption: "Two conversations have damaged summaries.",
		steps: []step{
			{keys: "h", caption: "Health checks the whole file, worst first.", shows: "Damaged summaries"},
			{keys: "down*2", caption: "A summary was cut off.", shows: "3 of"},
			{keys: "R", caption: "Repair this finding, or more.", shows: "the whole file"},
			{keys: "enter", caption: "First an estimate. Nothing is written.", shows: "an estimate"},
			{keys: "ctrl+x", caption: "The summary is made from its sources again.", shows: "will be repaired"},
			{keys: "enter", caption: "The old text and the new one.", shows: "after", hold: 4 * time.Second},
			{keys: "a", caption: "Apply.", shows: "applied as #1", hold: 3 * time.Second},
			{keys: "u", caption: "Undo: every byte is as it was.", shows: "undone", hold: 3 * time.Second},
			{keys: "U", caption: "Redo: made again, at once.", shows: "redone as #2", hold: 3 * time.Second},
		},
	},
	{
		name: "compaction", title: "lcm-tui – what if, and compaction", plays: true, shows: "1 error", caption: "Which context is nearly full?",
		steps: []step{
			{keys: "down*2", caption: "One context is 87 % full.", shows: "3 of"},
			{keys: "c", caption: "All of it is fresh tail, which stays as it is.", shows: "fresh tail"},
			{keys: "{*4", caption: "What if the fresh tail were shorter?", hold: 3 * time.Second},
			{keys: "C", caption: "Compact with that fresh tail: what would happen?", shows: "What would happen", hold: 5 * time.Second},
			{keys: "enter", caption: "The review. Still nothing is written.", shows: "an estimate"},
			{keys: "ctrl+x", caption: "The summaries are made.", shows: "model calls 3"},
			{keys: "2", caption: "Each new text beside its sources.", hold: 4 * time.Second},
			{keys: "a", caption: "Apply; u would undo it.", shows: "applied as #1", hold: 4 * time.Second},
		},
	},
}
