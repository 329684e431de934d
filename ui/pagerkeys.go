package ui

import "charm.land/bubbles/v2/key"

// PagerKeys is the keys of a Pager. Without Search it cannot be searched.
type PagerKeys struct {
	Up, Down, PageUp, PageDown, HalfUp, HalfDown, Top, Bottom key.Binding
	Search, Next, Prev                                        key.Binding
}

// DefaultPagerKeys returns the keys for a pager that fills the screen.
func DefaultPagerKeys() PagerKeys {
	return PagerKeys{
		Up:       Bind("up k", "↑/k", "up"),
		Down:     Bind("down j", "↓/j", "down"),
		PageUp:   Bind("pgup ctrl+b", "pgup", "page up"),
		PageDown: Bind("pgdown ctrl+f space", "pgdn", "page down"),
		HalfUp:   Bind("ctrl+u", "ctrl+u", "half a page up"),
		HalfDown: Bind("ctrl+d", "ctrl+d", "half a page down"),
		Top:      Bind("home g", "g", "top"),
		Bottom:   Bind("end G", "G", "end"),
		Search:   Bind("/", "/", "search"),
		Next:     Bind("n", "n", "next match"),
		Prev:     Bind("N", "N", "previous match"),
	}
}

// DetailKeys returns the keys for a pager beside a list that has the focus: J and K, and
// alt with the page keys. It cannot be searched.
func DetailKeys() PagerKeys {
	return PagerKeys{
		Up:       Bind("K", "K", "detail up"),
		Down:     Bind("J", "J", "detail down"),
		PageUp:   Bind("alt+pgup", "alt+pgup", "detail page up"),
		PageDown: Bind("alt+pgdown", "alt+pgdn", "detail page down"),
	}
}

// Actions returns the keys of the pager as of now.
func (p *Pager) Actions() []Action {
	const read = "Read"
	k := p.Keys
	var out []Action
	for i, b := range []key.Binding{k.Up, k.Down, k.PageUp, k.PageDown, k.HalfUp, k.HalfDown, k.Top, k.Bottom} {
		if len(b.Keys()) > 0 {
			out = append(out, Action{Key: b, Group: read, OnlyKey: i < 6}.Off(p.Len() > 0, "there is no text"))
		}
	}
	if len(k.Search.Keys()) > 0 {
		out = append(out, Action{Key: k.Search, Group: read, Footer: true},
			Action{Key: k.Next, Group: read}.Off(p.needle != "", "nothing was searched"),
			Action{Key: k.Prev, Group: read}.Off(p.needle != "", "nothing was searched"))
	}
	if p.Typing() {
		out = append(out,
			Act("enter", "⏎", "search").Named("search-now").In(Typing).InFooter(),
			Act("esc", "esc", "leave search").In(Typing).InFooter())
	}
	return out
}
