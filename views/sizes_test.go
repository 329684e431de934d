package views

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data/openclaw"
	"lcm-tui/internal/testdb"
	"lcm-tui/ui"
)

// everyScreen are the ways to each screen and dialog of the program, from the list of
// conversations of the demonstration.
var everyScreen = map[string]func(d *driver){
	"conversations":        func(*driver) {},
	"a filter":             func(d *driver) { d.press("/", "a") },
	"messages":             func(d *driver) { d.open(2, tabMessages) },
	"a message":            func(d *driver) { d.open(2, tabMessages); d.press("enter") },
	"a search of messages": func(d *driver) { d.open(2, tabMessages); d.press("/", "x") },
	"a place of messages":  func(d *driver) { d.open(2, tabMessages); d.press("#", "7") },
	"summaries":            func(d *driver) { d.open(2, tabSummaries); d.press("*") },
	"a summary":            func(d *driver) { d.open(2, tabSummaries); d.press("tab") },
	"a summary alone":      func(d *driver) { d.open(2, tabSummaries); d.press("+", "+", "+") },
	"context":              func(d *driver) { d.open(2, tabContext) },
	"what if":              func(d *driver) { d.open(2, tabContext); d.press("<", "<") },
	"as the model gets it": func(d *driver) { d.open(2, tabContext); d.press("P") },
	"files":                func(d *driver) { d.open(2, tabFiles) },
	"content of a file":    func(d *driver) { d.open(2, tabFiles); d.press("c") },
	"health":               func(d *driver) { d.open(2, tabHealth) },
	"health of the file":   func(d *driver) { d.press("h") },
	"focus":                func(d *driver) { d.open(2, tabFocus) },
	"pending":              func(d *driver) { d.open(1, tabPending) },
	"a pending node":       func(d *driver) { d.open(1, tabPending); d.press("down", "down", "down", "tab") },
	"pending of nothing":   func(d *driver) { d.open(2, tabPending) },
	"history": func(d *driver) {
		d.openReview()
		d.press("a", "enter")
		d.send(ui.PushMsg{Screen: d.env.Screens.History(d.env)})
	},
	"a review":              func(d *driver) { d.openReview() },
	"a review of texts":     func(d *driver) { d.openReview(); d.press("2") },
	"an applied review":     func(d *driver) { d.openReview(); d.press("a") },
	"secrets":               func(d *driver) { d.press("p") },
	"session files":         func(d *driver) { d.press("T") },
	"settings":              func(d *driver) { d.press("S") },
	"the choice of a model": func(d *driver) { d.press("M") },
	"help":                  func(d *driver) { d.open(2, tabSummaries); d.press("?") },
	"the palette":           func(d *driver) { d.open(2, tabSummaries); d.palette("o") },
	"a question":            func(d *driver) { d.palette("back up"); d.press("enter") },
	"an error": func(d *driver) {
		d.send(ui.ErrorMsg{Err: fmt.Errorf("plan: %w", context.DeadlineExceeded)})
		d.press("D")
	},
	"where a message went":  func(d *driver) { d.open(2, tabMessages); d.press("g", "w", "down") },
	"sources of a summary":  func(d *driver) { d.open(2, tabSummaries); d.press("w", "down") },
	"reading":               func(d *driver) { d.open(2, tabMessages); d.press("v") },
	"previous context":      func(d *driver) { d.open(2, tabSummaries); d.press("p") },
	"compaction":            func(d *driver) { d.press("down", "down", "C") },
	"repair scope":          func(d *driver) { d.press("h", "down", "down", "R") },
	"a review of findings":  func(d *driver) { d.press("h", "R", "enter", "x") },
	"a review of a rewrite": func(d *driver) { d.open(2, tabSummaries); d.press("r", "x") },
	"transplant":            func(d *driver) { d.press("t") },
	"session files to import": func(d *driver) {
		folder := filepath.Join(filepath.Dir(d.path), "sessions")
		d.env.Sessions = []string{folder}
		d.writeSessionFile(folder, "s1.jsonl", twoMessages)
		d.press("T")
	},
	"export":                        func(d *driver) { d.press("X") },
	"a name for an export":          func(d *driver) { d.open(2, tabSummaries); d.press("X", "enter") },
	"space":                         func(d *driver) { d.press("z") },
	"space of a conversation":       func(d *driver) { d.press("z", "2", "enter") },
	"differences":                   func(d *driver) { diffWith(d) },
	"rows that differ":              func(d *driver) { diffWith(d); d.press("down", "right", "down") },
	"files to compare with":         func(d *driver) { d.changedCopy(); d.send(ui.PushMsg{Screen: d.env.Screens.DiffChoice(d.env)}) },
	"a review of a prune":           func(d *driver) { d.press("z", "7", "down", "enter") },
	"the session of a conversation": func(d *driver) { d.press("K") },
	"a new session key":             func(d *driver) { d.press("K", "enter") },
	"trash":                         func(d *driver) { d.openTrash(); d.press("enter") },
	"the emptying of the trash":     func(d *driver) { d.openTrash(); d.press("d") },
	"whose place to take":           func(d *driver) { d.press("v", "v", "K", "down", "down", "enter") },
	"databases":                     func(d *driver) { showDatabases(d) },
	"search":                        func(d *driver) { d.press("F") },
	"a search of the whole file":    func(d *driver) { d.press("F"); d.write("deploy") },
	"the hits of a search":          func(d *driver) { d.press("F"); d.write("deploy"); d.press("tab", "tab") },
	"the place of a hit":            func(d *driver) { d.press("F"); d.write("deploy"); d.press("enter") },
	"a file for hits":               func(d *driver) { d.press("F"); d.write("deploy"); d.press("ctrl+s") },
	"no database": func(d *driver) {
		d.send(ui.PushMsg{Screen: NewWelcome(d.env, Options{Err: context.DeadlineExceeded})})
	},
}

// driveEveryScreen opens the demonstration with a model, so that a screen of everyScreen works; for
// pending summaries, which the demonstration lacks, a file whose host prepares some.
func driveEveryScreen(t *testing.T, screen string) *driver {
	t.Helper()
	if strings.Contains(screen, "pending") {
		return drivePending(t)
	}
	d := driveWithModel(t, brief{})
	d.withModels(map[string]string{"OPENAI_API_KEY": "k", "LCM_TUI_SUMMARY_PROVIDER": "openai"})
	return d
}

// TestEveryScreenAtEverySize draws each screen and dialog in terminals of 1×1 to 400×100,
// resized from one to the next: nothing panics, and nothing reaches beyond the terminal. At
// 80×24 header and footer are whole.
func TestEveryScreenAtEverySize(t *testing.T) {
	t.Parallel()
	sizes := [][2]int{{80, 24}, {20, 5}, {400, 100}, {40, 10}, {200, 50}, {1, 1}, {120, 36}, {80, 24}}
	if testdb.Race { // It looks for races, not for sizes.
		sizes = [][2]int{{20, 5}, {80, 24}}
	}
	for name, open := range everyScreen {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := driveEveryScreen(t, name)
			open(d)
			for _, size := range sizes {
				got := d.raw(size[0], size[1])
				lines := strings.Split(got, "\n")
				if len(lines) != size[1] {
					t.Errorf("%d×%d: %d lines", size[0], size[1], len(lines))
				}
				for _, l := range lines {
					if w := ansi.StringWidth(l); w > size[0] {
						t.Fatalf("%d×%d: a line has %d cells: %q", size[0], size[1], w, ansi.Strip(l))
					}
				}
				d.press("down")
				d.send(tea.MouseClickMsg{X: size[0] / 2, Y: size[1] / 2, Button: tea.MouseLeft}, tea.MouseWheelMsg{X: 1, Y: size[1] / 2, Button: tea.MouseWheelDown})
			}
			got := d.screen(80, 24)
			if !strings.Contains(got, " lcm-tui ") || !strings.Contains(got, "? help") && !d.typingAny() {
				t.Errorf("at 80×24 header or footer are cut:\n%s", got)
			}
		})
	}
}

// typingAny reports whether the top screen takes text, where the footer shows other keys.
func (d *driver) typingAny() bool {
	s, ok := d.app.Top().(ui.Typer)
	return ok && s.Typing()
}

// TestAPasteOfAMegabyte goes into every input: the program takes it, cuts it and goes on.
func TestAPasteOfAMegabyte(t *testing.T) {
	t.Parallel()
	paste := strings.Repeat("päste\x1b[31m \n", 100_000)
	if testdb.Race { // It looks for races, not for sizes.
		paste = paste[:len(paste)/20]
	}
	for _, name := range []string{"a filter", "a search of messages", "a place of messages", "search", "a file for hits", "the palette", "summaries", "help", "a review"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := driveEveryScreen(t, name)
			everyScreen[name](d)
			d.send(tea.PasteMsg{Content: paste})
			d.clean(80, 24)
			d.press("left", "backspace", "home", "x", "end", "enter")
			d.clean(80, 24)
			for range 9 {
				d.press("esc")
			}
			if d.app.Depth() != 1 || d.quit {
				t.Errorf("esc leads to %s", d.app.Top().Title())
			}
		})
	}
}

// diffWith shows what differs between the demonstration and a copy that was changed.
func diffWith(d *driver) {
	d.send(ui.PushMsg{Screen: d.env.Screens.FileDiff(d.env, d.changedCopy())})
}

// showDatabases shows files that aren't there.
func showDatabases(d *driver) {
	found := openclaw.Discovery{Databases: []openclaw.Database{{Path: "/srv/one/lcm.db", Found: "--db"}, {Path: "/srv/two/lcm.db", Found: "--db"}}}
	d.env.Databases = &DatabaseSource{Find: func(context.Context) openclaw.Discovery { return found }, Choose: func(openclaw.Database) {}}
	d.palette("open another database")
	d.press("enter")
}
