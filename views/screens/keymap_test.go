package screens

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"lcm-tui/internal/testlength"
	"lcm-tui/ui"
	"lcm-tui/ui/userconfig"
	"lcm-tui/views/viewtest"
)

// everyActionMoved returns keys for every action, none of which any action has for its own.
func everyActionMoved() ui.Keymap {
	m, n := ui.Keymap{}, rune(0)
	fresh := func(a userconfig.Action) []string {
		n++
		if key := string('一' + n); !a.Typing {
			return []string{key}
		}
		return []string{"alt+" + string('一'+n)}
	}
	for _, a := range userconfig.Actions() {
		if !a.Each {
			m[a.Name] = ui.Keys{All: fresh(a)}
			continue
		}
		each := map[string][]string{}
		for _, own := range a.Keys {
			each[own] = fresh(a)
		}
		m[a.Name] = ui.Keys{Each: each}
	}
	return m
}

// boxes are the screens of everyScreen on which a box takes the keys.
var boxes = []string{"help", "the menu", "the palette", "a question", "an error"}

// TestEveryKeyCanBeMoved: on every screen footer, help and palette show the keys of the user, the user's key is
// the screen's own for the same action, and the key that it had does nothing.
func TestEveryKeyCanBeMoved(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	moved := everyActionMoved()
	ways := maps.Clone(everyScreen)
	maps.Copy(ways, promptScreens)
	for name, open := range ways {
		if slices.Contains(boxes, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := driveEveryScreen(t, name)
			open(d)
			before := d.App.Actions()
			d.App.SetKeymap(moved)
			after := d.App.Actions()
			typing := typingAny(d)
			footer := lastLine(d.Screen(400, 100))
			var shown, old []string // What help is to show, and what is to do nothing.
			for i, was := range before {
				a := after[i]
				if (was.Group == ui.Typing) != typing || len(was.Key.Keys()) == 0 {
					continue
				}
				if typing && !isTypingOnly(was.ID()) {
					continue // Letters are text here.
				}
				h := a.Key.Help()
				if was.Key.Help().Desc != h.Desc || slices.ContainsFunc(a.Key.Keys(), func(k string) bool { return slices.Contains(was.Key.Keys(), k) }) {
					t.Errorf("%s (%s) keeps the keys %v: %v", was.ID(), h.Desc, was.Key.Keys(), a.Key.Keys())
				}
				if entry := h.Key + " " + h.Desc; was.Footer && a.Key.Enabled() && !strings.Contains(footer, entry) {
					t.Errorf("the footer lacks %q: %s", entry, footer)
				}
				if h.Desc != "" {
					shown = append(shown, h.Key)
				}
				if a.Key.Enabled() {
					old = append(old, was.Key.Keys()...)
				}
			}
			if len(shown) == 0 && !typing {
				t.Fatal("no key is moved")
			}
			checkUserKeys(t, d, moved, typing)
			checkOldKeys(t, d, old)
			if !typing {
				checkHelpAndPalette(t, d, shown, after)
			}
		})
	}
}

func isTypingOnly(name string) bool {
	return slices.ContainsFunc(userconfig.Actions(), func(a userconfig.Action) bool { return a.Name == name && a.Typing })
}

func lastLine(screen string) string { return screen[strings.LastIndexByte(screen, '\n')+1:] }

// checkUserKeys fails where a key of the user isn't the screen's own for an action.
func checkUserKeys(t *testing.T, d *viewtest.Driver, m ui.Keymap, typing bool) {
	t.Helper()
	if typing {
		m = m.WhileTyping()
	}
	for _, a := range d.App.Top().Actions() {
		if (a.Group == ui.Typing) != typing || a.ID() == "" || !a.Key.Enabled() {
			continue
		}
		for _, pressed := range m.Show(a).Key.Keys() {
			own, gone := m.Pressed([]ui.Action{a}, pressed)
			if !slices.Contains(m[a.ID()].All, pressed) && len(m[a.ID()].Each) == 0 {
				continue // It has no key but letters, and keeps its own.
			}
			if gone || !slices.Contains(a.Key.Keys(), own) {
				t.Errorf("%s of %s is %q for the screen", pressed, a.ID(), own)
			}
		}
	}
}

// checkOldKeys fails where a key does something that it no longer is the key of.
func checkOldKeys(t *testing.T, d *viewtest.Driver, old []string) {
	t.Helper()
	if !typingAny(d) {
		d.Press("f12") // It takes what happened off the status line.
	}
	before := d.Screen(120, 36)
	for _, k := range old {
		d.Send(ui.Press(k))
		if now := viewtest.Plain(d.App.View().Content); now != before {
			t.Fatalf("%s still does something:\n%s\nbefore:\n%s", k, now, before)
		}
	}
}

// tall is a window in which help and palette have room for all of their lines. What is drawn over a screen takes
// memory for each cell of the window, so it is no wider than they are.
var tall = [2]int{160, 150}

// checkHelpAndPalette fails where one of them lacks a key of the user.
func checkHelpAndPalette(t *testing.T, d *viewtest.Driver, shown []string, actions []ui.Action) {
	t.Helper()
	key := func(name string) string {
		i := slices.IndexFunc(actions, func(a ui.Action) bool { return a.ID() == name })
		return actions[i].Key.Keys()[0]
	}
	d.Send(ui.Press(key("help")))
	help := d.Screen(tall[0], tall[1])
	for _, k := range shown {
		if !strings.Contains(help, k) {
			t.Errorf("help lacks %s", k)
		}
	}
	d.Send(ui.Press(key("help")))
	if d.Screen(tall[0], tall[1]) == help {
		t.Error("the key that opens help doesn't close it")
	}
	d.Send(ui.Press(key("commands")))
	palette := d.Screen(tall[0], tall[1])
	// Keys that only move are listed for a query.
	for _, a := range actions {
		isShown := func(same ui.Action) bool { // Actions of one description are one entry.
			return same.Key.Help().Desc == a.Key.Help().Desc && strings.Contains(palette, same.Key.Help().Key)
		}
		if a.Group != ui.Typing && a.Group != ui.MoveGroup && !a.OnlyKey && a.Key.Help().Desc != "" && a.Key.Enabled() && !slices.ContainsFunc(actions, isShown) {
			t.Errorf("the palette lacks %s %s:\n%s", a.Key.Help().Key, a.Key.Help().Desc, palette)
		}
	}
	d.Send(ui.Press("esc"))
}
