package shell

import (
	"slices"
	"strings"
	"testing"

	"lcm-tui/ui"
)

// keysOfPage returns a page with actions, on which no text is taken.
func keysOfPage() *page {
	return &page{title: "one", actions: []ui.Action{
		ui.Act("d", "d", "dissolve").InFooter(),
		ui.Act("r", "r", "rewrite").InFooter(),
		ui.Act("up k down j", "↑↓", "move").WithEach(),
		ui.Act("enter", "⏎", "keep it").In(ui.Typing).InFooter(),
	}}
}

// TestAUsersKeyIsTheScreensOwn: a screen is given the key that it has for an action, a key that was taken from an
// action does nothing, and two actions can change places, also with one of the program.
func TestAUsersKeyIsTheScreensOwn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		keymap       ui.Keymap
		press, given string
	}{
		"moved":             {ui.Keymap{"dissolve": {All: []string{"ctrl+g", "X"}}}, "d ctrl+g X r", "d d r"},
		"swapped":           {ui.Keymap{"dissolve": {All: []string{"r"}}, "rewrite": {All: []string{"d"}}}, "d r", "r d"},
		"each":              {ui.Keymap{"move": {Each: map[string][]string{"up": {"w"}}}}, "up w k down", "up k down"},
		"with the program":  {ui.Keymap{"dissolve": {All: []string{"?"}}, "help": {All: []string{"d"}}}, "?", "d"},
		"kept beside a new": {ui.Keymap{"dissolve": {All: []string{"d", "D"}}}, "d D", "d d"},
	} {
		p := keysOfPage()
		d := drive(t, Config{First: p, Keymap: c.keymap})
		p.keys = nil
		d.press(strings.Fields(c.press)...)
		if got := strings.Join(p.keys, " "); got != c.given {
			t.Errorf("%s: %s gives %q, wanted %q", name, c.press, got, c.given)
		}
	}
}

// TestKeysWhileTyping: letters stay text, and an action that works beside text has the user's key.
func TestKeysWhileTyping(t *testing.T) {
	t.Parallel()
	p := keysOfPage()
	p.typing = true
	d := drive(t, Config{First: p, Keymap: ui.Keymap{"keep-it": {All: []string{"ctrl+j"}}, "dissolve": {All: []string{"x"}}}})
	p.keys = nil
	d.press("x", "d", "enter", "ctrl+j")
	if want := []string{"x", "d", "enter"}; !slices.Equal(p.keys, want) {
		t.Errorf("the screen was given %q, wanted %q", p.keys, want)
	}
	d.sees("ctrl+j keep it")
}

// TestKeysOfTheProgram: help, the palette and quitting have the user's keys, and esc closes every box.
func TestKeysOfTheProgram(t *testing.T) {
	t.Parallel()
	p := keysOfPage()
	d := drive(t, Config{First: p, Keymap: ui.Keymap{
		"help": {All: []string{"f1"}}, "commands": {All: []string{"f2"}}, "dissolve": {All: []string{"ctrl+g"}},
		"back": {Each: map[string][]string{"q": {"Q"}, "esc": {"ctrl+o"}}}, "quit-from-anywhere": {All: []string{"ctrl+q"}},
	}})
	d.sees("f1 help")
	d.sees("ctrl+g dissolve")
	d.press("?")
	d.misses("This page is here to be tested.")
	d.press("f1")
	d.sees("This page is here to be tested.")
	d.sees("ctrl+q  quit from anywhere")
	d.press("f1")
	d.misses("This page is here to be tested.")
	d.press("f1", "esc")
	d.misses("This page is here to be tested.")
	d.press("f2")
	d.sees("dissolve")
	d.press("esc")
	d.press("ctrl+c", "q")
	if d.quit {
		t.Fatal("a key that was taken from the program ends it")
	}
	d.press("f12", "Q")
	d.until("the end", func() bool { return d.quit })
}

// TestAWarningStaysUntilAKey: it stands on the status line until a key.
func TestAWarningStaysUntilAKey(t *testing.T) {
	t.Parallel()
	d := drive(t, Config{First: keysOfPage(), Warning: "config.toml: 1 mistake"})
	d.sees("~ config.toml: 1 mistake")
	d.press("r")
	d.misses("config.toml")
}
