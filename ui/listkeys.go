package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// ListKeys is the keys of a List.
type ListKeys struct {
	Up, Down, PageUp, PageDown, HalfUp, HalfDown, Top, Bottom key.Binding
	Filter, Sort, Reverse                                     key.Binding
}

// DefaultListKeys returns arrows, j and k, g and G, pages as vi and less turn them, / and o.
func DefaultListKeys() ListKeys {
	return ListKeys{
		Up:       Bind("up k", "↑/k", "up"),
		Down:     Bind("down j", "↓/j", "down"),
		PageUp:   Bind("pgup ctrl+b", "pgup", "page up"),
		PageDown: Bind("pgdown ctrl+f space", "pgdn", "page down"),
		HalfUp:   Bind("ctrl+u", "ctrl+u", "half a page up"),
		HalfDown: Bind("ctrl+d", "ctrl+d", "half a page down"),
		Top:      Bind("home g", "g", "first"),
		Bottom:   Bind("end G", "G", "last"),
		Filter:   Bind("/", "/", "filter"),
		Sort:     Bind("o", "o", "sort"),
		Reverse:  Bind("O", "O", "reverse the order"),
	}
}

// MoveGroup is the group of the keys that only move the cursor.
const MoveGroup = "Move"

// Actions returns the keys of the list as of now, to be appended to a screen's own.
func (l *List[T]) Actions() []Action {
	k, some := l.Keys, len(l.shown.rows) > 0
	const move, find = MoveGroup, "Find"
	sort := Action{Key: k.Sort, Group: find, Footer: true}
	if name := l.SortLabel(); name != "" {
		sort.Key.SetHelp(k.Sort.Help().Key, "sort: "+name)
	}
	out := []Action{
		{Key: JoinBindings(k.Down, k.Up, "↑↓", "move"), Each: true, Group: move, Footer: true, OnlyKey: true},
		{Key: k.PageUp, Group: move, OnlyKey: true},
		{Key: k.PageDown, Group: move, OnlyKey: true},
		{Key: k.HalfUp, Group: move, OnlyKey: true},
		{Key: k.HalfDown, Group: move, OnlyKey: true},
		{Key: k.Top, Group: move},
		{Key: k.Bottom, Group: move},
	}
	for i := range out {
		out[i] = out[i].Off(some, "the list is empty")
	}
	out = append(out, Action{Key: k.Filter, Group: find, Footer: true}.Off(l.shown.text != nil, "this list has no filter"))
	if len(l.shown.sorts) > 1 {
		out = append(out, sort, Action{Key: k.Reverse, Group: find})
	}
	if l.Typing() {
		out = append(out,
			Act("enter", "⏎", "keep filter").In(Typing).InFooter(),
			Act("esc", "esc", "clear filter").In(Typing).InFooter(),
			Act("up down", "↑↓", "move").WithEach().In(Typing).InFooter())
	}
	return out
}

// JoinBindings returns one binding with the keys of two, which help shows as one entry.
func JoinBindings(a, b key.Binding, label, what string) key.Binding {
	return key.NewBinding(key.WithKeys(slices.Concat(b.Keys(), a.Keys())...), key.WithHelp(label, what))
}

// Typing reports whether the filter is taking text: give the list every key.
func (l *List[T]) Typing() bool { return l.input.Typing() }

// Escape clears the filter and reports whether there was one.
func (l *List[T]) Escape() bool {
	if l.shown.needle == "" && !l.Typing() {
		return false
	}
	l.input.Reset()
	l.setNeedle("")
	return true
}

// Filter returns the text of the filter.
func (l *List[T]) Filter() string { return l.shown.needle }

// SetFilter filters as if text had been typed.
func (l *List[T]) SetFilter(text string) {
	if l.shown.text != nil {
		l.setNeedle(text)
	}
}

func (l *List[T]) setNeedle(text string) {
	if text != l.shown.needle {
		l.shown.needle = text
		l.filter()
	}
}

func (l *List[T]) key(m tea.KeyPressMsg) {
	if l.Typing() {
		l.filterKey(m)
		return
	}
	switch k := l.Keys; {
	case key.Matches(m, k.Filter) && l.shown.text != nil:
		l.input.Open(l.shown.needle)
	case key.Matches(m, k.Sort) && len(l.shown.sorts) > 1:
		l.shown.sorted, l.shown.reversed = (l.shown.sorted+1)%len(l.shown.sorts), false
		l.arrange()
	case key.Matches(m, k.Reverse) && len(l.shown.sorts) > 1:
		l.shown.reversed = !l.shown.reversed
		l.arrange()
	default:
		l.move(m)
	}
}

func (l *List[T]) move(m tea.KeyPressMsg) {
	switch k := l.Keys; {
	case key.Matches(m, k.Up):
		l.Move(-1)
	case key.Matches(m, k.Down):
		l.Move(1)
	case key.Matches(m, k.PageUp):
		l.Move(-max(1, l.height-1))
	case key.Matches(m, k.PageDown):
		l.Move(max(1, l.height-1))
	case key.Matches(m, k.HalfUp):
		l.Move(-max(1, l.height/2))
	case key.Matches(m, k.HalfDown):
		l.Move(max(1, l.height/2))
	case key.Matches(m, k.Top):
		l.goTo(0)
	case key.Matches(m, k.Bottom):
		l.goTo(len(l.shown.rows) - 1)
	}
}

// filterKey takes a key while the filter takes text; the arrows still move.
func (l *List[T]) filterKey(m tea.KeyPressMsg) {
	switch m.String() {
	case "up":
		l.Move(-1)
	case "down":
		l.Move(1)
	default:
		l.filterInput(m)
	}
}

func (l *List[T]) filterInput(msg tea.Msg) {
	if l.Typing() {
		l.input.Update(msg)
		l.setNeedle(l.input.Value())
	}
}
