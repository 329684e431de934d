package shell

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"lcm-tui/ui"
)

// TestGlobalActionsWorkOnEveryScreen: a key that every screen has runs on each of them and is
// in help and palette; a screen's own key of that name comes first while it works.
func TestGlobalActionsWorkOnEveryScreen(t *testing.T) {
	t.Parallel()
	var runs []string
	global := func(stack []ui.Screen) []GlobalAction {
		return []GlobalAction{
			{Action: ui.Act("F", "F", "find everywhere").In("Find"), Run: func() tea.Cmd {
				runs = append(runs, stack[len(stack)-1].Title())
				return nil
			}},
			{Action: ui.Act("n", "n", "next hit").In("Find").InFooter(), First: true, Run: func() tea.Cmd {
				runs = append(runs, "n")
				return nil
			}},
		}
	}
	child := &page{title: "child", actions: []ui.Action{ui.Act("n", "n", "next match").Off(false, "nothing was searched"), ui.Act("c", "c", "count").InFooter()}}
	own := &page{title: "own", actions: []ui.Action{ui.Act("n", "n", "next change")}}
	d := drive(t, Config{First: sample(), Global: global})
	d.press("F")
	d.send(ui.PushMsg{Screen: child})
	d.sees(" n next hit  c count")
	d.press("F", "n")
	d.send(ui.PushMsg{Screen: own})
	d.press("n")
	d.misses("next hit")
	if diff := cmp.Diff([]string{"root", "child", "n"}, runs); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"n"}, own.keys); diff != "" {
		t.Error(diff)
	}
	d.press("?")
	d.sees("find everywhere")
	d.press("esc", ":", "f", "i", "n", "d", "enter")
	if runs[len(runs)-1] != "own" {
		t.Errorf("the palette ran %q", runs)
	}
}

// TestBackToAScreen: the screens above go, and another one takes their place, so that back
// leads to the screen again; one that isn't below stays where it is.
func TestBackToAScreen(t *testing.T) {
	t.Parallel()
	list, first, tab, second, other := &page{title: "list"}, &page{title: "first"}, &page{title: "tab"}, &page{title: "second"}, &page{title: "other"}
	d := drive(t, Config{First: sample()})
	d.send(ui.PushMsg{Screen: list}, ui.PushMsg{Screen: first}, ui.SwitchMsg{Screen: tab}, ui.PushMsg{Screen: other}, ui.BackToMsg{Screen: list, Next: second})
	d.sees("root › list › second")
	d.press("esc")
	d.sees("body of list")
	d.send(ui.PushMsg{Screen: first}, ui.PushMsg{Screen: other}, ui.BackToMsg{Screen: list})
	d.sees("body of list")
	if last := list.msgs[len(list.msgs)-1]; last != (ui.ShownMsg{}) {
		t.Errorf("the screen was told %v", last)
	}
	d.send(ui.BackToMsg{Screen: &page{title: "elsewhere"}, Next: other})
	d.sees("list › other")
}

// TestAScreenMayTakeControlKeysOfTheShell: the shell keeps another name for what they do.
func TestAScreenMayTakeControlKeysOfTheShell(t *testing.T) {
	t.Parallel()
	root := sample()
	root.actions = append(root.actions, ui.Act("ctrl+r", "ctrl+r", "regular expression"), ui.Act("ctrl+p", "ctrl+p", "older query"))
	d := drive(t, Config{First: root})
	d.press("ctrl+r", "ctrl+p")
	if diff := cmp.Diff([]string{"ctrl+r", "ctrl+p"}, root.keys); diff != "" {
		t.Error(diff)
	}
	d.press("f5")
	if last := root.msgs[len(root.msgs)-1]; last != (ui.ChangedMsg{External: true}) {
		t.Errorf("f5 read nothing again: %v", last)
	}
	d.press("?")
	d.sees("f5  read again")
}
