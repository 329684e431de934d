package ui

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
)

// Keymap is the keys that a user gave to actions, by their names (see Action.ID). Screens don't know of it:
// the shell gives a screen its own key for the one that was pressed, and shows actions with the user's keys.
type Keymap map[string]Keys

// Keys are those that a user gave to an action. Its own keys do nothing any more.
type Keys struct {
	// All run the action.
	All []string
	// Each are the keys in place of those of an action whose keys do different things, such as up and
	// down; a key that isn't named stays.
	Each map[string][]string
}

// ID returns the stable name of an action: Name, or its description up to a colon, with dashes.
func (a Action) ID() string {
	if a.Name != "" {
		return a.Name
	}
	what, _, _ := strings.Cut(a.Key.Help().Desc, ":")
	words := strings.FieldsFunc(strings.ToLower(what), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.Join(words, "-")
}

// in returns the keys that are pressed for the i-th of an action's own keys.
func (k Keys) in(a Action, i int) []string {
	own := a.Key.Keys()[i]
	if !a.Each {
		if i == 0 {
			return k.All
		}
		return nil
	}
	if keys, ok := k.Each[own]; ok {
		return keys
	}
	return []string{own}
}

// WhileTyping returns the keys that count where text is taken: letters are text there, and an action that has
// nothing else keeps its own keys.
func (m Keymap) WhileTyping() Keymap {
	out := Keymap{}
	for name, k := range m {
		typing := Keys{All: slices.DeleteFunc(slices.Clone(k.All), IsText), Each: map[string][]string{}}
		for own, keys := range k.Each {
			if keys = slices.DeleteFunc(slices.Clone(keys), IsText); len(keys) > 0 {
				typing.Each[own] = keys
			}
		}
		if len(typing.All)+len(typing.Each) > 0 {
			out[name] = typing
		}
	}
	return out
}

// Moves reports whether the user gave keys to an action.
func (m Keymap) Moves(a Action) bool {
	_, ok := m[a.ID()]
	return ok
}

// Show returns an action with the keys that the user gave to it.
func (m Keymap) Show(a Action) Action {
	if len(m) == 0 {
		return a
	}
	k, changed := m[a.ID()]
	if !changed || len(a.Key.Keys()) == 0 {
		return a
	}
	var keys, labels []string
	for i, own := range a.Key.Keys() {
		for _, pressed := range k.in(a, i) {
			keys = append(keys, pressed)
			if isAlias := pressed == own && len(own) == 1; !isAlias && (a.Each || len(labels) == 0) {
				labels = append(labels, KeyLabel(pressed))
			}
		}
	}
	b := key.NewBinding(key.WithKeys(keys...), key.WithHelp(strings.Join(labels, "/"), a.Key.Help().Desc))
	b.SetEnabled(a.Key.Enabled())
	a.Key = b
	return a
}

// Pressed returns what a screen with these actions is to be given for a pressed key: its own key for an
// action to which the user gave the pressed one. gone says that the pressed key was that of an action
// which has another now. Else own is empty.
func (m Keymap) Pressed(actions []Action, pressed string) (own string, gone bool) {
	if len(m) == 0 {
		return "", false
	}
	wasOwn, isTaken := false, false
	for _, a := range actions {
		k, changed := m[a.ID()]
		for i, name := range a.Key.Keys() {
			isGiven := changed && slices.Contains(k.in(a, i), pressed)
			switch {
			case isGiven && (own == "" || a.Key.Enabled()):
				own = name
			case name != pressed || isGiven:
			case changed && !(a.Each && k.Each[name] == nil):
				wasOwn = true
			default:
				isTaken = isTaken || a.Key.Enabled()
			}
		}
	}
	return own, own == "" && wasOwn && !isTaken
}

// keyLabels are the names of keys that help prints otherwise.
var keyLabels = map[string]string{"enter": "⏎", "up": "↑", "down": "↓", "left": "←", "right": "→", "pgdown": "pgdn"}

// KeyLabel returns a key as help and footer print it.
func KeyLabel(name string) string {
	mods, last := "", name
	if i := strings.LastIndex(name[:max(0, len(name)-1)], "+"); i >= 0 {
		mods, last = name[:i+1], name[i+1:]
	}
	if label, ok := keyLabels[last]; ok {
		last = label
	}
	return mods + last
}

// IsKey reports whether name is a key as bindings spell it, such as d, D, enter or ctrl+p.
func IsKey(name string) bool {
	mod, rest := splitMods(name)
	if _, named := namedKeys[rest]; named {
		return true
	}
	r, size := utf8.DecodeRuneInString(rest)
	return size == len(rest) && size > 0 && unicode.IsPrint(r) && r != ' ' && (mod == 0 || !unicode.IsUpper(r))
}

// IsText reports whether a key is taken as text where something is typed.
func IsText(name string) bool {
	mod, rest := splitMods(name)
	return mod == 0 && (utf8.RuneCountInString(rest) == 1 || rest == "space")
}
