package views

import (
	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

// pane is a screen with a list and the text of the row under its cursor: beside the
// list where there is room, else as a page over it. History is the example to copy:
//
//	type History struct {
//		pane[*data.Record, *changes] // What a row is, and what is read of the row under the cursor.
//		env *Env
//	}
//
//	func NewHistory(env *Env) *History {
//		h := &History{env: env}
//		list := ui.NewList(env.Styles, recordID, h.render, recordText)
//		h.ListScreen = newPane(h, env, 0.5, list, recordID, h.describe)
//		h.readDetailOf = h.changes // Only where a row alone doesn't hold all that its text says.
//		return h
//	}
//
//	func (h *History) actions() []action           // The screen's own keys; a click on a row runs the one of enter.
//	func (h *History) load() tea.Cmd               // Starts the job "load", which reads the rows.
//	func (h *History) receive(msg tea.Msg) tea.Cmd // Takes the job's message and sets the list's items.
//
// A screen of a conversation embeds tab as well and sets tabs to it. Row and Detail are
// pointers, because all panes of pointers share one copy of the code.
type ListScreen[Row, Detail any] struct {
	screen      ListOwner
	tabs        *Tab // Nil outside of a conversation.
	list        *ui.List[Row]
	pager       *ui.Pager
	textFocused bool // Keys go to the text.

	share      float64 // The list's share of the width.
	zoom       *zoom   // Of all panes.
	frameless  bool    // The text has no margin and, as a page, no frame.
	maxDetails int     // How many details are cached.

	ref          func(Row) string                               // The id of a row: y copies it.
	render       func(row Row, detail Detail, width int) string // Renders the text; detail is nil until it is read.
	readDetailOf func(Row) detailReader[Detail]                 // Nil, or returns nil, where there is nothing to read.

	layoutColumns func(width int) Columns          // The list's columns; nil for none.
	headerLines   func(width, height int) []string // Lines above list and text; nil for none.
	afterUpdate   func() tea.Cmd                   // Runs after every message; nil for nothing.

	jobs      *ui.Jobs
	styles    *ui.Styles
	details   map[string]cachedDetail[Detail]
	requested string // The ref of the row whose detail is being read.
	rendered  renderKey
	dirty     bool // The text must be rendered again.
	scrollTo  scrollTarget
	markedRef string // The row whose text is to be scrolled to its first underlined place.

	width, top, height int // Of the last View: its width, the lines above, and what it left to list and text.
}

// paneScreen is the part of a screen that its pane calls.
type ListOwner interface {
	Load() tea.Cmd               // Starts to read what is shown.
	Receive(msg tea.Msg) tea.Cmd // Takes the results of its jobs.
	OwnActions() []Action        // The screen's own keys.
}

// pointersTo returns the addresses of items, which are the rows of a list.
func pointersTo[T any](items []T) []*T {
	out := make([]*T, len(items))
	for i := range items {
		out[i] = &items[i]
	}
	return out
}

// noDetail is the Detail of a pane whose rows hold all that is shown.
type noDetail = *struct{}

// newPane returns the pane of screen. share is the list's share of the width.
func NewListScreen[Row, Detail any](screen ListOwner, env *Env, share float64, list *ui.List[Row], ref func(Row) string, render func(Row, Detail, int) string) ListScreen[Row, Detail] {
	p := ListScreen[Row, Detail]{
		screen: screen, list: list, pager: ui.NewPager(env.Styles), share: share, zoom: &env.zoom, maxDetails: maxCachedDetails, ref: ref, render: render,
		jobs: env.Jobs, styles: env.Styles, details: map[string]cachedDetail[Detail]{},
	}
	p.focus(false)
	return p
}

// Init implements ui.Screen.
func (p *ListScreen[Row, Detail]) Init() tea.Cmd {
	p.invalidate()
	return p.screen.Load()
}

// Typing implements ui.Typer.
func (p *ListScreen[Row, Detail]) Typing() bool {
	return p.list.Typing() || p.textFocused && p.pager.Typing()
}

// Escape implements ui.Escaper.
func (p *ListScreen[Row, Detail]) Escape() bool {
	if !p.textFocused {
		return p.list.Escape()
	}
	if !p.pager.Escape() {
		p.focus(false)
	}
	return true
}

// Position implements ui.Positioner.
func (p *ListScreen[Row, Detail]) Position() string {
	if p.textFocused {
		return p.pager.Position()
	}
	return p.list.Position()
}

// Place implements ui.Placer.
func (p *ListScreen[Row, Detail]) Place() func() tea.Cmd {
	restoreList, textFocused := p.list.Place(), p.textFocused
	at := scrollTarget{ref: p.rendered.ref, offset: p.pager.Offset()}
	return func() tea.Cmd {
		restoreList()
		p.focus(textFocused)
		p.scrollTo, p.dirty = at, true
		return p.readDetail()
	}
}

// Copy implements ui.Copier.
func (p *ListScreen[Row, Detail]) Copy() string {
	row, ok := p.list.Selected()
	if !ok {
		return ""
	}
	return p.ref(row)
}

// Update implements ui.Screen.
func (p *ListScreen[Row, Detail]) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case ui.ChangedMsg:
		return p.Init()
	case labelsMsg:
		p.tabs.setLabels(msg)
	case unreadMsg:
		p.tabs.setUnread(msg)
	case detailMsg[Detail]:
		p.cacheDetail(msg.ref, cachedDetail[Detail]{detail: msg.detail, note: msg.note})
	case tea.MouseMsg:
		p.scrollTo = scrollTarget{}
		cmd = p.mouse(msg)
	case tea.PasteMsg:
		cmd = tea.Batch(p.list.Update(msg), p.pager.Update(msg)) // Whichever is typed in.
	case tea.KeyPressMsg:
		p.scrollTo = scrollTarget{}
		cmd = p.key(msg)
	case ui.OpenMsg:
		cmd, _ = p.runAction(ui.Press("enter"))
	default:
		if failed, ok := msg.(ui.FailedMsg); ok {
			p.failed(failed)
		}
		p.dirty = true
		cmd = p.screen.Receive(msg)
	}
	if p.afterUpdate != nil {
		cmd = tea.Batch(cmd, p.afterUpdate())
	}
	if p.tabs != nil {
		cmd = tea.Batch(cmd, p.tabs.countUnread(p.screen.(ui.Screen)))
	}
	return tea.Batch(cmd, p.readDetail())
}
