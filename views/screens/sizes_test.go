package screens

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data/openclaw"
	"lcm-tui/internal/testlength"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/home"
	"lcm-tui/views/viewtest"
)

// everyScreen are the ways to each screen and dialog of the program, from the list of
// conversations of the demonstration.
var everyScreen = map[string]func(d *viewtest.Driver){
	"conversations": func(*viewtest.Driver) {},
	"the menu":      func(d *viewtest.Driver) { d.Press(".") },
	"questions":     func(d *viewtest.Driver) { d.Press("A") },
	"an answer": func(d *viewtest.Driver) {
		d.Press("A")
		d.Write("Which edit to deploy/alerting/routes.yml was made?")
		d.Press("enter", "y")
		d.Sees("relies on")
	},
	"a filter":             func(d *viewtest.Driver) { d.Press("/", "a") },
	"messages":             func(d *viewtest.Driver) { d.Open(2, views.TabMessages) },
	"a message":            func(d *viewtest.Driver) { d.Open(2, views.TabMessages); d.Press("enter") },
	"a search of messages": func(d *viewtest.Driver) { d.Open(2, views.TabMessages); d.Press("/", "x") },
	"a place of messages":  func(d *viewtest.Driver) { d.Open(2, views.TabMessages); d.Press("#", "7") },
	"summaries":            func(d *viewtest.Driver) { d.Open(2, views.TabSummaries); d.Press("*") },
	"a summary":            func(d *viewtest.Driver) { d.Open(2, views.TabSummaries); d.Press("tab") },
	"a summary alone":      func(d *viewtest.Driver) { d.Open(2, views.TabSummaries); d.Press("+", "+", "+") },
	"context":              func(d *viewtest.Driver) { d.Open(2, views.TabContext) },
	"what if":              func(d *viewtest.Driver) { d.Open(2, views.TabContext); d.Press("<", "<") },
	"as the model gets it": func(d *viewtest.Driver) { d.Open(2, views.TabContext); d.Press("v") },
	"files":                func(d *viewtest.Driver) { d.Open(2, views.TabFiles) },
	"content of a file":    func(d *viewtest.Driver) { d.Open(2, views.TabFiles); d.Press("c") },
	"health":               func(d *viewtest.Driver) { d.Open(2, views.TabHealth) },
	"health of the file":   func(d *viewtest.Driver) { d.Press("h") },
	"focus":                func(d *viewtest.Driver) { d.Open(2, views.TabFocus) },
	"pending":              func(d *viewtest.Driver) { d.Open(1, views.TabPending) },
	"a pending node":       func(d *viewtest.Driver) { d.Open(1, views.TabPending); d.Press("down", "down", "down", "tab") },
	"pending of nothing":   func(d *viewtest.Driver) { d.Open(2, views.TabPending) },
	"history": func(d *viewtest.Driver) {
		d.OpenReview()
		d.Press("a", "enter")
		d.Send(ui.PushMsg{Screen: d.Env.Screens.History(d.Env)})
	},
	"a review":              func(d *viewtest.Driver) { d.OpenReview() },
	"a review of texts":     func(d *viewtest.Driver) { d.OpenReview(); d.Press("2") },
	"an applied review":     func(d *viewtest.Driver) { d.OpenReview(); d.Press("a") },
	"secrets":               func(d *viewtest.Driver) { d.Press("p") },
	"session files":         func(d *viewtest.Driver) { d.Press(".", "T") },
	"settings":              func(d *viewtest.Driver) { d.Press(".", "S") },
	"the choice of a model": func(d *viewtest.Driver) { d.Press(".", "M") },
	"help":                  func(d *viewtest.Driver) { d.Open(2, views.TabSummaries); d.Press("?") },
	"the palette":           func(d *viewtest.Driver) { d.Open(2, views.TabSummaries); d.Palette("o") },
	"a question":            func(d *viewtest.Driver) { d.Palette("back up"); d.Press("enter") },
	"an error": func(d *viewtest.Driver) {
		d.Send(ui.ErrorMsg{Err: fmt.Errorf("plan: %w", context.DeadlineExceeded)})
		d.Press("D")
	},
	"where a message went":  func(d *viewtest.Driver) { d.Open(2, views.TabMessages); d.Press("g", "w", "down") },
	"sources of a summary":  func(d *viewtest.Driver) { d.Open(2, views.TabSummaries); d.Press("w", "down") },
	"reading":               func(d *viewtest.Driver) { d.Open(2, views.TabMessages); d.Press("v") },
	"previous context":      func(d *viewtest.Driver) { d.Open(2, views.TabSummaries); d.Press("p") },
	"compaction":            func(d *viewtest.Driver) { d.Press("down", "down", "C") },
	"repair scope":          func(d *viewtest.Driver) { d.Press("h", "down", "down", "R") },
	"a review of findings":  func(d *viewtest.Driver) { d.Press("h", "R", "enter", "ctrl+x") },
	"a review of a rewrite": func(d *viewtest.Driver) { d.Open(2, views.TabSummaries); d.Press("r", "ctrl+x") },
	"candidates": func(d *viewtest.Driver) {
		d.Env.Editor = func(_ string, done func(string, error) tea.Msg) tea.Cmd {
			return func() tea.Msg { return done("what the user knows of it", nil) }
		}
		d.Open(2, views.TabSummaries)
		d.Press("r", "ctrl+x", "y", "e", "c")
		d.Sees("› Candidates of")
	},
	"transplant": func(d *viewtest.Driver) { d.Press(".", "t") },
	"session files to import": func(d *viewtest.Driver) {
		folder := filepath.Join(filepath.Dir(d.Path), "sessions")
		d.Env.Sessions = []string{folder}
		d.WriteSessionFile(folder, "s1.jsonl", viewtest.TwoMessages)
		d.Press(".", "T")
	},
	"export":                        func(d *viewtest.Driver) { d.Press("X") },
	"a name for an export":          func(d *viewtest.Driver) { d.Open(2, views.TabSummaries); d.Press("X", "enter") },
	"a slice":                       func(d *viewtest.Driver) { d.Press("space", "space"); d.Palette("slice"); d.Press("enter") },
	"a bug report":                  func(d *viewtest.Driver) { d.Palette("bundle"); d.Press("enter") },
	"space":                         func(d *viewtest.Driver) { d.Press("z") },
	"space of a conversation":       func(d *viewtest.Driver) { d.Press("z", "2", "enter") },
	"differences":                   func(d *viewtest.Driver) { diffWith(d) },
	"rows that differ":              func(d *viewtest.Driver) { diffWith(d); d.Press("down", "right", "down") },
	"files to compare with":         func(d *viewtest.Driver) { d.ChangedCopy(); d.Send(ui.PushMsg{Screen: d.Env.Screens.DiffChoice(d.Env)}) },
	"a review of a prune":           func(d *viewtest.Driver) { d.Press("z", "7", "down", "enter") },
	"the session of a conversation": func(d *viewtest.Driver) { d.Press(".", "e") },
	"the end of a session":          func(d *viewtest.Driver) { d.Press(".", "N") },
	"a new session key":             func(d *viewtest.Driver) { d.Press(".", "e", "enter") },
	"trash":                         func(d *viewtest.Driver) { d.OpenTrash(); d.Press("enter") },
	"the emptying of the trash":     func(d *viewtest.Driver) { d.OpenTrash(); d.Press("d") },
	"memory of coding agents":       func(d *viewtest.Driver) { d.Press(".", "m") },
	"promoted memory":               func(d *viewtest.Driver) { d.Press(".", "m", "e") },
	"whose place to take":           func(d *viewtest.Driver) { d.Press(".", "v", ".", "v", ".", "e", "down", "down", "enter") },
	"databases":                     func(d *viewtest.Driver) { showDatabases(d) },
	"machines":                      func(d *viewtest.Driver) { d.UseMachines(); d.Palette("fleet"); d.Press("enter") },
	"a new machine":                 func(d *viewtest.Driver) { d.UseMachines(); d.Palette("fleet"); d.Press("enter", "a") },
	"search":                        func(d *viewtest.Driver) { d.Press("F") },
	"a search of the whole file":    func(d *viewtest.Driver) { d.Press("F"); d.Write("deploy") },
	"the hits of a search":          func(d *viewtest.Driver) { d.Press("F"); d.Write("deploy"); d.Press("tab", "tab") },
	"the place of a hit":            func(d *viewtest.Driver) { d.Press("F"); d.Write("deploy"); d.Press("enter") },
	"a file for hits":               func(d *viewtest.Driver) { d.Press("F"); d.Write("deploy"); d.Press("ctrl+s") },
	"no database": func(d *viewtest.Driver) {
		d.Send(ui.PushMsg{Screen: home.NewWelcome(d.Env, views.Options{NotOpened: views.NotOpened{Err: context.DeadlineExceeded}})})
	},
}

// driveEveryScreen opens the demonstration with a model, so that a screen of everyScreen works; for
// pending summaries, which the demonstration lacks, a file whose host prepares some.
func driveEveryScreen(t *testing.T, screen string) *viewtest.Driver {
	t.Helper()
	if strings.Contains(screen, "pending") {
		return viewtest.DrivePending(t)
	}
	d := viewtest.DriveWithModel(t, viewtest.Brief{})
	d.WithModels(map[string]string{"OPENAI_API_KEY": "k", "LCM_TUI_SUMMARY_PROVIDER": "openai"})
	return d
}

// TestEveryScreenAtEverySize draws each screen and dialog in terminals of 1×1 to 400×100,
// resized from one to the next: nothing panics, nothing reaches beyond the terminal, and the
// cursor stays where it is. At 80×24 header and footer are whole.
func TestEveryScreenAtEverySize(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	sizes := [][2]int{{80, 24}, {20, 5}, {400, 100}, {40, 10}, {200, 50}, {1, 1}, {120, 36}, {80, 24}}
	for _, name := range slices.Sorted(maps.Keys(everyScreen)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := driveEveryScreen(t, name)
			everyScreen[name](d)
			was := cursorLine(d)
			for _, size := range sizes {
				d.Raw(size[0], size[1])
			}
			if is := cursorLine(d); is != was {
				t.Errorf("after other sizes the cursor is on %q, and not on %q", is, was)
			}
			for _, size := range sizes {
				got := d.Raw(size[0], size[1])
				lines := strings.Split(got, "\n")
				if len(lines) != size[1] {
					t.Errorf("%d×%d: %d lines", size[0], size[1], len(lines))
				}
				for _, l := range lines {
					if w := ansi.StringWidth(l); w > size[0] {
						t.Fatalf("%d×%d: a line has %d cells: %q", size[0], size[1], w, ansi.Strip(l))
					}
				}
				d.Press("down")
				d.Send(tea.MouseClickMsg{X: size[0] / 2, Y: size[1] / 2, Button: tea.MouseLeft}, tea.MouseWheelMsg{X: 1, Y: size[1] / 2, Button: tea.MouseWheelDown})
			}
			got := d.Screen(80, 24)
			if !strings.Contains(got, " lcm-tui ") || !strings.Contains(got, "? help") && !typingAny(d) {
				t.Errorf("at 80×24 header or footer are cut:\n%s", got)
			}
		})
	}
}

// cursorLine returns the line of a screen of 80×24 on which the cursor is, or nothing.
func cursorLine(d *viewtest.Driver) string {
	for l := range strings.Lines(d.Screen(80, 24)) {
		if strings.Contains(l, "▌") {
			return l
		}
	}
	return ""
}

// typingAny reports whether the top screen takes text, where the footer shows other keys.
func typingAny(d *viewtest.Driver) bool {
	s, ok := d.App.Top().(ui.Typer)
	return ok && s.Typing()
}

// TestAPasteOfAMegabyte goes into every input: the program takes it, cuts it and goes on.
func TestAPasteOfAMegabyte(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	paste := strings.Repeat("päste\x1b[31m \n", 100_000)
	for _, name := range []string{"a filter", "a search of messages", "a place of messages", "search", "a file for hits", "the palette", "summaries", "help", "a review"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := driveEveryScreen(t, name)
			everyScreen[name](d)
			d.Send(tea.PasteMsg{Content: paste})
			d.Clean(80, 24)
			d.Press("left", "backspace", "home", "x", "end", "enter")
			d.Clean(80, 24)
			for range 9 {
				d.Press("esc")
			}
			if d.App.Depth() != 1 || d.Quit {
				t.Errorf("esc leads to %s", d.App.Top().Title())
			}
		})
	}
}

// diffWith shows what differs between the demonstration and a copy that was changed.
func diffWith(d *viewtest.Driver) {
	d.Send(ui.PushMsg{Screen: d.Env.Screens.FileDiff(d.Env, d.ChangedCopy())})
}

// showDatabases shows files that aren't there.
func showDatabases(d *viewtest.Driver) {
	found := openclaw.Discovery{Databases: []openclaw.Database{{Path: "/srv/one/lcm.db", Found: "--db"}, {Path: "/srv/two/lcm.db", Found: "--db"}}}
	d.Env.Databases = &views.DatabaseSource{Find: func(context.Context) openclaw.Discovery { return found }, Choose: func(openclaw.Database) {}}
	d.Palette("open another database")
	d.Press("enter")
}
