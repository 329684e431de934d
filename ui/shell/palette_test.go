package shell

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"

	"lcm-tui/ui"
)

func TestPalettePressesTheKey(t *testing.T) {
	t.Parallel()
	root := sample()
	d := drive(t, Config{First: root})
	d.press("ctrl+p", "x", "p", "o", "r", "enter")
	if diff := cmp.Diff([]string{"x"}, root.keys); diff != "" {
		t.Error(diff)
	}
	d.misses("do it")
}

// TestRowsOfThePaletteCanBeClicked: the row under the cursor is run by a click, another one gets the cursor first.
func TestRowsOfThePaletteCanBeClicked(t *testing.T) {
	t.Parallel()
	root := sample()
	d := drive(t, Config{First: root})
	d.press(":")
	d.click("export")
	if d.sees("▌export"); len(root.keys) != 0 {
		t.Errorf("the first click gave the screen %q", root.keys)
	}
	d.click("do it")
	d.click("export")
	if d.misses("do it"); !slices.Equal(root.keys, []string{"x"}) {
		t.Errorf("the screen was given %q", root.keys)
	}
}

func TestPaletteRunsTheShellsActions(t *testing.T) {
	t.Parallel()
	d := drive(t, Config{First: sample()})
	d.press(":")
	d.send(tea.PasteMsg{Content: "help"})
	d.press("enter")
	d.sees("This page is here to be tested.")
}

func TestPaletteListsTheImpossibleLast(t *testing.T) {
	t.Parallel()
	root := sample()
	d := drive(t, Config{First: root})
	d.press(":")
	golden.RequireEqual(t, d.screen())
	d.press("r", "e", "w", "r", "down", "enter")
	d.sees("rewrite subtree – nothing is selected")
	if len(root.keys) != 0 {
		t.Errorf("the screen got %v", root.keys)
	}
}

// places returns a config with a place of the program and a lookup of things by name.
func places(root ui.Screen, ran *[]string) Config {
	run := func(what string) func() tea.Cmd {
		return func() tea.Cmd { *ran = append(*ran, what); return nil }
	}
	return Config{
		First: root,
		Commands: func() []ui.Command {
			return []ui.Command{
				{Name: "history", Kind: "Go to", Label: "H", Run: run("history")},
				{Name: "settings", Kind: "Go to", Why: "there are none here"},
				{Name: "Dissolve", Kind: "a double", Run: run("double")},
			}
		},
		Find: func(_ context.Context, query string) ([]ui.Command, error) {
			switch query {
			case "":
				return []ui.Command{{Name: "undo #12", Kind: "History", Run: run("undo")}}, nil
			case "#7":
				return []ui.Command{{Name: "agent:main", Kind: "conversation", Run: run("conversation 7"), Found: true}}, nil
			case "bad":
				return nil, errors.New("the file is gone")
			}
			return []ui.Command{{Name: "late answer to " + query, Run: run(query)}}, nil
		},
	}
}

func TestPaletteReachesThePlacesOfTheProgram(t *testing.T) {
	t.Parallel()
	var ran []string
	d := drive(t, places(sample(), &ran))
	d.press(":")
	d.until("what is looked up without a query is listed", func() bool { return strings.Contains(d.screen(), "undo #12") })
	d.sees("settings – there are none here")
	d.misses("a double")
	d.press("h", "i", "s", "enter")
	if diff := cmp.Diff([]string{"history"}, ran); diff != "" {
		t.Error(diff)
	}
	d.misses("do it")
}

func TestPaletteFindsThingsByTheirID(t *testing.T) {
	t.Parallel()
	var ran []string
	d := drive(t, places(sample(), &ran))
	d.press(":", "#", "7")
	d.until("the conversation is found", func() bool { return strings.Contains(d.screen(), "agent:main") })
	d.press("enter")
	if diff := cmp.Diff([]string{"conversation 7"}, ran); diff != "" {
		t.Error(diff)
	}
}

// TestPaletteListsACommandByItsWord: its word typed alone lists it first, before what is named
// alike and what is found by an id.
func TestPaletteListsACommandByItsWord(t *testing.T) {
	t.Parallel()
	var ran []string
	run := func(what string) func() tea.Cmd {
		return func() tea.Cmd { ran = append(ran, what); return nil }
	}
	d := drive(t, Config{
		First: sample(),
		Commands: func() []ui.Command {
			return []ui.Command{{Name: "db", Run: run("alike")}, {Name: "open another file", Word: "db", Run: run("word")}}
		},
		Find: func(context.Context, string) ([]ui.Command, error) {
			return []ui.Command{{Name: "agent:db", Run: run("found"), Found: true}}, nil
		},
	})
	d.press(":", "d", "b")
	d.until("the conversation is found", func() bool { return strings.Contains(d.screen(), "agent:db") })
	d.press("enter")
	if diff := cmp.Diff([]string{"word"}, ran); diff != "" {
		t.Error(diff)
	}
}

// TestPaletteDropsLateAnswers: an answer to an older query is not listed, and a palette that
// is closed asks nothing any more.
func TestPaletteDropsLateAnswers(t *testing.T) {
	t.Parallel()
	var ran []string
	d := drive(t, places(sample(), &ran))
	d.press(":", "x")
	p := d.app.overlays.open.(*palette)
	d.press("y")
	p.Update(foundMsg{"x", []ui.Command{{Name: "xy of the past"}}})
	d.misses("of the past")
	d.press("esc")
	if d.app.jobs.Running(p, "find") {
		t.Error("the lookup goes on after the palette is closed")
	}
}

func TestPaletteTellsALookupThatFails(t *testing.T) {
	t.Parallel()
	var ran []string
	d := drive(t, places(sample(), &ran))
	d.press(":", "b", "a", "d")
	d.until("the error shows", func() bool { return strings.Contains(d.screen(), "the file is gone") })
}

// TestPaletteLeavesOutWhatIsNoCommand: arrows and the palette's own key do nothing there.
func TestPaletteLeavesOutWhatIsNoCommand(t *testing.T) {
	t.Parallel()
	root := sample()
	root.actions = append(root.actions, ui.Act("up", "↑↓", "move").AsKeyOnly())
	d := drive(t, Config{First: root})
	d.press(":")
	d.misses("move")
	d.misses("commands  Program")
	d.press("q", "u", "i", "t", "enter")
	d.until("the program ends", func() bool { return d.quit })
}

// TestPaletteInABurst: what is typed and accepted at once does what the finished list has first, never
// what another query or a late answer leaves there.
func TestPaletteInABurst(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"history": "history", // Known at once.
		"#7":      "conversation 7",
		"zebra":   "zebra",
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			var ran []string
			root := sample()
			d := drive(t, places(root, &ran))
			d.burst(":")
			for _, r := range query {
				d.burst(string(r))
			}
			d.burst("enter", "d")
			d.until("it ran and the last key arrived", func() bool { return len(ran) > 0 && len(root.keys) > 0 })
			if diff := cmp.Diff([][]string{{want}, {"d"}}, [][]string{ran, root.keys}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestPaletteMatches: words before beginnings, those before parts, and those before letters that begin words.
// Letters that are spread over a title are no match.
func TestPaletteMatches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query, text string
		want        int
	}{
		{"trash", "trash", matchWhole},
		{"undo", "undo the last change", matchWord},
		{"und", "undo the last change", matchStart},
		{"las", "undo the last change", matchWordStart},
		{"ast", "undo the last change", matchPart},
		{"ulc", "undo the last change", matchInitials},
		{"rensk", "rename the session key", matchInitials},
		{"restore", "reverse the order", 0},
		{"slice", "transplant summaries into it", 0},
		{"doctor", "undo the last change of the store", 0},
	} {
		if got := matchClass(c.query, c.text); got != c.want {
			t.Errorf("%q in %q is %d, not %d", c.query, c.text, got, c.want)
		}
	}
}
