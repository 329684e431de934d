package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

var namedKeys = map[string]rune{
	"enter": tea.KeyEnter, "tab": tea.KeyTab, "backspace": tea.KeyBackspace,
	"esc": tea.KeyEscape, "space": tea.KeySpace, "up": tea.KeyUp, "down": tea.KeyDown,
	"left": tea.KeyLeft, "right": tea.KeyRight, "insert": tea.KeyInsert,
	"delete": tea.KeyDelete, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"home": tea.KeyHome, "end": tea.KeyEnd, "f1": tea.KeyF1, "f2": tea.KeyF2,
	"f3": tea.KeyF3, "f4": tea.KeyF4, "f5": tea.KeyF5, "f6": tea.KeyF6,
	"f7": tea.KeyF7, "f8": tea.KeyF8, "f9": tea.KeyF9, "f10": tea.KeyF10,
	"f11": tea.KeyF11, "f12": tea.KeyF12,
}

var namedMods = map[string]tea.KeyMod{
	"ctrl": tea.ModCtrl, "alt": tea.ModAlt, "shift": tea.ModShift,
	"meta": tea.ModMeta, "hyper": tea.ModHyper, "super": tea.ModSuper,
}

// Press returns the key press that a terminal would send for name, which is
// spelled as in key bindings: "d", "D", "?", "enter", "space", "ctrl+p",
// "shift+tab". Press(name).String() is name again.
func Press(name string) tea.KeyPressMsg {
	mod, rest := splitMods(name)
	if code, ok := namedKeys[rest]; ok {
		return tea.KeyPressMsg{Code: code, Mod: mod, Text: spaceText(rest, mod)}
	}
	if utf8.RuneCountInString(rest) != 1 {
		return tea.KeyPressMsg{Code: tea.KeyExtended, Mod: mod, Text: rest}
	}
	r, _ := utf8.DecodeRuneInString(rest)
	k := tea.KeyPressMsg{Code: r, Mod: mod}
	if mod == 0 {
		k.Text = rest
	}
	if lower := unicode.ToLower(r); lower != r {
		k.Code, k.ShiftedCode, k.Mod = lower, r, mod|tea.ModShift
	}
	return k
}

func splitMods(name string) (mod tea.KeyMod, rest string) {
	for {
		head, tail, ok := strings.Cut(name, "+")
		m, known := namedMods[head]
		if !ok || !known || tail == "" {
			return mod, name
		}
		mod, name = mod|m, tail
	}
}

func spaceText(name string, mod tea.KeyMod) string {
	if name == "space" && mod == 0 {
		return " "
	}
	return ""
}
