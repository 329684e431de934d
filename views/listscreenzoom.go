package views

import (
	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

// zoom is how much room the text beside a list gets. It is the same for all lists, and lasts as
// long as the program runs.
type zoom int

const (
	zoomShared zoom = iota // The share that the screen gives.
	zoomLarge              // Most of the width.
	zoomAlone              // All of the screen, while the text has the keys.
)

// largeTextList is the list's share of the width beside a large text.
const largeTextList = 0.3

// The keys that give the text more or less room.
var (
	KeyMoreText = ui.Act("+", "+", "more room for the text").In("Read")
	KeyLessText = ui.Act("_", "_", "less room for the text").In("Read")
)

// zoomActions returns the keys that give the text more or less room.
func (p *ListScreen[Row, Detail]) zoomActions() []Action {
	more, less := p.textAlone(), *p.zoom == zoomShared && (ui.Wide(p.Width) || !p.TextFocused)
	return []Action{
		{KeyMoreText.Off(!more, "the text has all the room"), p.zoomIn},
		{KeyLessText.Off(!less, "the list has its full share"), p.zoomOut},
	}
}

// zoomIn gives the text more room. In a narrow window, where list and text take turns, it
// shows the text first.
func (p *ListScreen[Row, Detail]) zoomIn() tea.Cmd {
	switch {
	case ui.Wide(p.Width) && *p.zoom == zoomShared:
		*p.zoom = zoomLarge
	case !ui.Wide(p.Width) && !p.TextFocused:
		return p.Focus(true)
	default:
		*p.zoom = zoomAlone
		return p.Focus(true)
	}
	return nil
}

// zoomOut gives the text less room.
func (p *ListScreen[Row, Detail]) zoomOut() tea.Cmd {
	switch {
	case !ui.Wide(p.Width) && *p.zoom != zoomAlone:
		*p.zoom = zoomShared
		return p.Focus(false)
	case *p.zoom == zoomAlone:
		*p.zoom = zoomLarge
	default:
		*p.zoom = zoomShared
	}
	return nil
}

// textAlone reports whether the text has the whole screen, without the lines above it.
func (p *ListScreen[Row, Detail]) textAlone() bool { return p.TextFocused && *p.zoom == zoomAlone }

// split reports whether list and text are side by side.
func (p *ListScreen[Row, Detail]) split() bool { return ui.Wide(p.Width) && !p.textAlone() }

// ListShare returns the list's share of the width.
func (p *ListScreen[Row, Detail]) ListShare() float64 {
	if *p.zoom == zoomShared {
		return p.Share
	}
	return min(p.Share, largeTextList)
}
