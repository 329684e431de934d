package shell

import (
	"slices"
	"strings"
	"testing"

	"lcm-tui/ui"
)

// pageWithMenu returns a page with two actions in its menu, of which one is not possible now.
func pageWithMenu() *page {
	return &page{title: "one", actions: []ui.Action{
		ui.Act("d", "d", "dissolve").InFooter(),
		ui.Act("P", "P", "prune the marked").InMenu(),
		ui.Act("B", "B", "back up").InMenu().Off(false, "the disk is full"),
	}}
}

// TestTheMenuHasRareActions: their keys work there only, and elsewhere say where they are.
func TestTheMenuHasRareActions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ press, given, shows string }{
		"without the menu":  {"P", "", "~ . P: prune the marked"},
		"by its key":        {". P d", "P d", ""},
		"by the cursor":     {". enter", "P", ""},
		"not possible":      {". B", "", "B does nothing here: the disk is full"},
		"not possible, off": {". down enter", "", "B does nothing here: the disk is full"},
		"another key":       {". d", "", "More"},
		"closed":            {". esc d", "d", ""},
	} {
		p := pageWithMenu()
		d := drive(t, Config{First: p})
		p.keys = nil
		d.press(strings.Fields(c.press)...)
		if got := strings.Join(p.keys, " "); got != c.given {
			t.Errorf("%s: %s gives the screen %q, wanted %q", name, c.press, got, c.given)
		}
		d.sees(c.shows)
	}
}

// TestKeysTypedAtOnceReachTheMenu: in a burst the key behind the one of the menu is the menu's.
func TestKeysTypedAtOnceReachTheMenu(t *testing.T) {
	t.Parallel()
	p := pageWithMenu()
	d := drive(t, Config{First: p})
	p.keys = nil
	d.burst(".", "P", "d")
	d.settle()
	if want := []string{"P", "d"}; !slices.Equal(p.keys, want) {
		t.Errorf("the screen was given %q, wanted %q", p.keys, want)
	}
}

// TestTheMenuIsShown: in the footer, in help with its key before theirs, and in the palette, which runs them.
func TestTheMenuIsShown(t *testing.T) {
	t.Parallel()
	p := pageWithMenu()
	d := drive(t, Config{First: p})
	d.sees(". more  ? help")
	d.press("?")
	d.sees(". P  prune the marked")
	d.press("esc", ".")
	d.sees("B  back up – the disk is full")
	p.keys = nil
	d.press("esc", ":", "p", "r", "u", "n", "e")
	d.sees(". P")
	d.press("enter")
	if want := []string{"P"}; !slices.Equal(p.keys, want) {
		t.Errorf("the screen was given %q, wanted %q", p.keys, want)
	}
}

// TestRowsOfTheMenuCanBeClicked: the row under the cursor is run by a click, another one gets the cursor first.
func TestRowsOfTheMenuCanBeClicked(t *testing.T) {
	t.Parallel()
	p := pageWithMenu()
	d := drive(t, Config{First: p})
	p.keys = nil
	d.press(".")
	d.click("back up – the disk")
	d.sees("▌ B  back up")
	d.click("More")
	d.click("prune the marked")
	if d.sees("▌ P  prune"); len(p.keys) != 0 {
		t.Errorf("the first click gave the screen %q", p.keys)
	}
	d.click("prune the marked")
	if d.misses("More"); !slices.Equal(p.keys, []string{"P"}) {
		t.Errorf("the screen was given %q", p.keys)
	}
}

// TestAPageWithoutRareActionsHasNoMenu: there the key is the screen's.
func TestAPageWithoutRareActionsHasNoMenu(t *testing.T) {
	t.Parallel()
	p := keysOfPage()
	d := drive(t, Config{First: p})
	p.keys = nil
	d.misses("more")
	d.press(".")
	if d.misses("More"); !slices.Equal(p.keys, []string{"."}) {
		t.Errorf("the screen was given %q", p.keys)
	}
}

// TestAUsersKeyNeedsNoMenu: an action of the menu to which the user gave a key has it everywhere, and in the menu.
func TestAUsersKeyNeedsNoMenu(t *testing.T) {
	t.Parallel()
	for press, given := range map[string]string{"ctrl+g": "P", ". ctrl+g": "P", "P": "", ". P": ""} {
		p := pageWithMenu()
		d := drive(t, Config{First: p, Keymap: ui.Keymap{"prune-the-marked": {All: []string{"ctrl+g"}}}})
		p.keys = nil
		d.press(strings.Fields(press)...)
		if got := strings.Join(p.keys, " "); got != given {
			t.Errorf("%s gives the screen %q, wanted %q", press, got, given)
		}
	}
	d := drive(t, Config{First: pageWithMenu(), Keymap: ui.Keymap{"more": {All: []string{"f2"}}}})
	d.sees("f2 more")
	d.press("?")
	d.sees("f2 P  prune the marked")
}

// TestBoxesKeepUpWithTheScreen: what the screen could not do when help or the menu was opened, because
// its list was being read, is possible in them as soon as it can.
func TestBoxesKeepUpWithTheScreen(t *testing.T) {
	t.Parallel()
	for open, run := range map[string][]string{"?": nil, ".": {"enter"}} {
		loading := ui.Act("P", "P", "prune").InMenu().Off(false, "the list is empty")
		p := &page{title: "one", actions: []ui.Action{loading}}
		d := drive(t, Config{First: p})
		p.keys = nil
		d.press(open)
		d.sees("prune – the list is empty")
		p.actions = []ui.Action{ui.Act("P", "P", "prune").InMenu()}
		d.send(ui.ShownMsg{})
		d.sees("prune")
		d.misses("the list is empty")
		if d.press(run...); run != nil && !slices.Equal(p.keys, []string{"P"}) {
			t.Errorf("%s gives the screen %q", open, p.keys)
		}
	}
}
