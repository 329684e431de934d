package search

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/search"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// offers is other queries that find something, one of which is chosen.
type offers struct {
	all    []search.Suggestion
	chosen int
}

// text lists the queries, each with its key.
func (o *offers) text(s *ui.Styles, width int) string {
	var b strings.Builder
	b.WriteString("\n " + s.Title.Render("Nothing was found.") + s.Muted.Render(" Other queries find something; ↑↓ and ⏎ choose one:") + "\n\n")
	for i, offer := range o.all {
		mark, style := "  ", s.Muted
		if i == o.chosen {
			mark, style = s.Accent.Render("▌ "), s.Title
		}
		count := plural.Count(offer.Count, "hit", "hits")
		if offer.More {
			count = ui.Num(int64(offer.Count)) + "+ hits"
		}
		b.WriteString(ui.Cut(" "+mark+s.Key.Render(views.Itoa(int64(i+1)))+" "+style.Render(ui.LineN(offer.Query, max(8, width/2)))+
			s.Muted.Render("   "+ui.Line(offer.Reason)+" · "+count), width) + "\n")
	}
	return b.String()
}

// key takes a key, and reports whether it was one for the offers. query is the one to be searched, if it
// was taken.
func (o *offers) key(m tea.KeyPressMsg) (query string, ok bool) {
	switch k := m.String(); k {
	case "up", "k":
		o.chosen = max(0, o.chosen-1)
	case "down", "j":
		o.chosen = min(len(o.all)-1, o.chosen+1)
	case "enter":
		return o.all[o.chosen].Query, true
	default:
		n := strings.Index("123456789", strings.TrimPrefix(k, "alt+"))
		if len(strings.TrimPrefix(k, "alt+")) != 1 || n < 0 || n >= len(o.all) {
			return "", false
		}
		return o.all[n].Query, true
	}
	return "", true
}

// listsOffers reports whether other queries are offered, because this one found nothing.
func (v *Search) listsOffers() bool { return v.List.Len() == 0 && len(v.offers.all) > 0 }

// offerKey takes a key while other queries are offered, and reports whether it was one for them.
func (v *Search) offerKey(m tea.KeyPressMsg) (tea.Cmd, bool) {
	query, ok := v.offers.key(m)
	if query == "" {
		return nil, ok
	}
	return tea.Batch(v.setQuery(query), v.remember()), true
}
