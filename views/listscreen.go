package views

import (
	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

// ListScreen is a screen with a list and the text of the row under its cursor: beside the
// list where there is room, else as a page over it. History is the example to copy:
//
//	type History struct {
//		views.ListScreen[*data.Record, *changes] // What a row is, and what is read of the row under the cursor.
//		env *Env
//	}
//
//	func NewHistory(env *Env) *History {
//		h := &History{env: env}
//		list := ui.NewList(env.Styles, recordID, h.render, recordText)
//		h.ListScreen = newPane(h, env, 0.5, list, recordID, h.describe)
//		h.ReadDetailOf = h.changes // Only where a row alone doesn't hold all that its text says.
//		return h
//	}
//
//	func (h *History) OwnActions() []views.Action  // The screen's own keys; a click on a row runs the one of enter.
//	func (h *History) Load() tea.Cmd               // Starts the job "load", which reads the rows.
//	func (h *History) Receive(msg tea.Msg) tea.Cmd // Takes the job's message and sets the list's items.
//
// A screen of a conversation embeds Tab as well and sets Tabs to it. Row and Detail are
// pointers, because all lists of pointers share one copy of the code.
type ListScreen[Row, Detail any] struct {
	screen      ListOwner
	Tabs        *Tab // Nil outside of a conversation.
	List        *ui.List[Row]
	Pager       *ui.Pager
	TextFocused bool // Keys go to the text.

	listLayout
	detailCache[Detail]

	ref          func(Row) string                               // The id of a row: y copies it.
	render       func(row Row, detail Detail, width int) string // Renders the text; detail is nil until it is read.
	ReadDetailOf func(Row) DetailReader[Detail]                 // Nil, or returns nil, where there is nothing to read.

	LayoutColumns func(width int) Columns          // The list's columns; nil for none.
	HeaderLines   func(width, height int) []string // Lines above list and text; nil for none.
	AfterUpdate   func() tea.Cmd                   // Runs after every message; nil for nothing.
	Path          *PathPrompt                      // Takes the place of HeaderLines, all keys and the mouse while it is open; nil for none.

	jobs      *ui.Jobs
	styles    *ui.Styles
	Rendered  renderKey
	Dirty     bool // The text must be rendered again.
	ScrollTo  ScrollTarget
	MarkedRef string // The row whose text is to be scrolled to its first underlined place.
}

// listLayout is how list and text share a screen.
type listLayout struct {
	Share float64 // The list's share of the width.
	zoom  *zoom   // Of all lists.

	Width, top, Height int // Of the last View: its width, the lines above, and what it left to list and text.
}

// ListOwner is the part of a screen that its ListScreen calls.
type ListOwner interface {
	Load() tea.Cmd               // Starts to read what is shown.
	Receive(msg tea.Msg) tea.Cmd // Takes the results of its jobs.
	OwnActions() []Action        // The screen's own keys.
}

// PointersTo returns the addresses of items, which are the rows of a list.
func PointersTo[T any](items []T) []*T {
	out := make([]*T, len(items))
	for i := range items {
		out[i] = &items[i]
	}
	return out
}

// NoDetail is the Detail of a list whose rows hold all that is shown.
type NoDetail = *struct{}

// NewListScreen returns the list of a screen. share is the list's share of the width.
func NewListScreen[Row, Detail any](screen ListOwner, env *Env, share float64, list *ui.List[Row], ref func(Row) string, render func(Row, Detail, int) string) ListScreen[Row, Detail] {
	p := ListScreen[Row, Detail]{
		screen: screen, List: list, Pager: ui.NewPager(env.Styles), ref: ref, render: render,
		listLayout: listLayout{Share: share, zoom: &env.zoom}, detailCache: newDetailCache[Detail](),
		jobs: env.Jobs, styles: env.Styles,
	}
	p.Focus(false)
	return p
}

// Init implements ui.Screen.
func (p *ListScreen[Row, Detail]) Init() tea.Cmd {
	p.Invalidate()
	return p.screen.Load()
}

// Typing implements ui.Typer.
func (p *ListScreen[Row, Detail]) Typing() bool {
	return p.Path.Typing() || p.List.Typing() || p.TextFocused && p.Pager.Typing()
}

// Escape implements ui.Escaper.
func (p *ListScreen[Row, Detail]) Escape() bool {
	if p.Path.Typing() {
		p.Path.Reset()
		return true
	}
	if !p.TextFocused {
		return p.List.Escape()
	}
	if !p.Pager.Escape() {
		p.Focus(false)
	}
	return true
}

// Position implements ui.Positioner.
func (p *ListScreen[Row, Detail]) Position() string {
	if p.TextFocused {
		return p.Pager.Position()
	}
	return p.List.Position()
}

// Place implements ui.Placer.
func (p *ListScreen[Row, Detail]) Place() func() tea.Cmd {
	restoreList, textFocused := p.List.Place(), p.TextFocused
	at := ScrollTarget{Ref: p.Rendered.ref, Offset: p.Pager.Offset()}
	return func() tea.Cmd {
		restoreList()
		p.Focus(textFocused)
		p.ScrollTo, p.Dirty = at, true
		return p.ReadDetail()
	}
}

// Copy implements ui.Copier.
func (p *ListScreen[Row, Detail]) Copy() string {
	row, ok := p.List.Selected()
	if !ok {
		return ""
	}
	return p.ref(row)
}

// Update implements ui.Screen.
func (p *ListScreen[Row, Detail]) Update(msg tea.Msg) tea.Cmd {
	cmd, taken := p.Path.update(msg, p.jobs, p.screen)
	if taken {
		return cmd
	}
	switch msg := msg.(type) {
	case ui.ChangedMsg:
		p.List.Stay()
		return p.Init()
	case labelsMsg:
		p.Tabs.setLabels(msg)
	case unreadMsg:
		p.Tabs.setUnread(msg)
	case detailMsg[Detail]:
		p.keep(msg.ref, cachedDetail[Detail]{Detail: msg.detail, note: msg.note})
		p.Dirty = true
	case tea.MouseMsg:
		if p.Path.Typing() { // What is written to the path is what was chosen when it opened.
			return nil
		}
		p.ScrollTo = ScrollTarget{}
		cmd = p.mouse(msg)
	case tea.PasteMsg:
		cmd = tea.Batch(p.List.Update(msg), p.Pager.Update(msg)) // Whichever is typed in.
	case tea.KeyPressMsg:
		p.ScrollTo = ScrollTarget{}
		cmd = p.key(msg)
	case ui.OpenMsg:
		cmd, _ = p.runAction(ui.Press("enter"))
	default:
		if failed, ok := msg.(ui.FailedMsg); ok {
			p.failed(failed)
		}
		p.Dirty = true
		cmd = p.screen.Receive(msg)
	}
	if p.AfterUpdate != nil {
		cmd = tea.Batch(cmd, p.AfterUpdate())
	}
	if p.Tabs != nil {
		cmd = tea.Batch(cmd, p.Tabs.countUnread(p.screen.(ui.Screen)))
	}
	return tea.Batch(cmd, p.ReadDetail())
}
