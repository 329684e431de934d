package ui

import "testing"

func TestPressSpellsItsName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"d", "D", "?", ":", "+", "1", "enter", "esc", "space", "tab", "shift+tab", "ctrl+p",
		"ctrl+c", "alt+pgdown", "pgup", "home", "f1", "ctrl++", "é", "Ж", "[",
	} {
		if got := Press(name).String(); got != name {
			t.Errorf("Press(%q) is %q", name, got)
		}
	}
}
