package views

import (
	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

// zoom is how much room the text of a pane gets. It is the same for all panes, and lasts as
// long as the program runs.
type zoom int

const (
	zoomShared zoom = iota // The share that the screen gives.
	zoomLarge              // Most of the width.
	zoomAlone              // All of the screen, while the text has the keys.
)

// largeTextList is the list's share of the width beside a large text.
const largeTextList = 0.3

var (
	keyMoreText = ui.Act("+", "+", "more room for the text").In("Read")
	keyLessText = ui.Act("_", "_", "less room for the text").In("Read")
)

// zoomActions are the keys that give the text more or less room.
func (p *ListScreen[Row, Detail]) zoomActions() []Action {
	more, less := p.textAlone(), *p.zoom == zoomShared && (ui.Wide(p.width) || !p.textFocused)
	return []Action{
		{keyMoreText.Off(!more, "the text has all the room"), p.zoomIn},
		{keyLessText.Off(!less, "the list has its full share"), p.zoomOut},
	}
}

// zoomIn gives the text more room. In a narrow window, where list and text take turns, it
// shows the text first.
func (p *ListScreen[Row, Detail]) zoomIn() tea.Cmd {
	switch {
	case ui.Wide(p.width) && *p.zoom == zoomShared:
		*p.zoom = zoomLarge
	case !ui.Wide(p.width) && !p.textFocused:
		return p.focus(true)
	default:
		*p.zoom = zoomAlone
		return p.focus(true)
	}
	return nil
}

// zoomOut gives the text less room.
func (p *ListScreen[Row, Detail]) zoomOut() tea.Cmd {
	switch {
	case !ui.Wide(p.width) && *p.zoom != zoomAlone:
		*p.zoom = zoomShared
		return p.focus(false)
	case *p.zoom == zoomAlone:
		*p.zoom = zoomLarge
	default:
		*p.zoom = zoomShared
	}
	return nil
}

// textAlone reports whether the text has the whole screen, without the lines above it.
func (p *ListScreen[Row, Detail]) textAlone() bool { return p.textFocused && *p.zoom == zoomAlone }

// split reports whether list and text are side by side.
func (p *ListScreen[Row, Detail]) split() bool { return ui.Wide(p.width) && !p.textAlone() }

// listShare is the list's share of the width.
func (p *ListScreen[Row, Detail]) listShare() float64 {
	if *p.zoom == zoomShared {
		return p.share
	}
	return min(p.share, largeTextList)
}
