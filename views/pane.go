package views

import (
	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

// pane is a screen with a list and the text of the row under its cursor: beside
// the list where there is room, else as a page over it. How to add one:
//
//  1. Embed pane[Row, More]; More is what is read of a row while the cursor rests
//     on it, nothing where the row says all. In a conversation embed tab as well.
//  2. Make it by newPane: the list, what a row is called, and what writes its text.
//  3. load starts the job "load" that reads the rows; take takes its message.
//  4. deeds are the screen's own keys; a click on a row is the one of enter.
//  5. Set those of the other hooks that are needed: read, titles, above, after.
type pane[Row, More any] struct {
	self  shelf
	tabs  *tab // Nil outside of a conversation.
	list  *ui.List[Row]
	pager *ui.Pager
	on    bool // The text has the keys.

	share float64 // The list's share of the width.
	finds bool    // The text can be searched.
	bare  bool    // The text has no margin and, as a page, no frame.
	most  int     // How many texts are kept.

	ref   func(Row) string                        // What a row is called: y copies it.
	write func(row Row, more *More, w int) string // More is nil until it's read.
	read  func(Row) work[More]                    // Nil, as its result: there is nothing to read.

	titles func(width int) layout           // Of the list's columns.
	above  func(width, height int) []string // Lines over list and text.
	after  func() tea.Cmd                   // What follows from any message.

	jobs   *ui.Jobs
	styles *ui.Styles
	have   map[string]known[More]
	asked  string // What is being read.
	drawn  drawn
	again  bool // The text has to be written anew.

	width, top, height int // Of the last View: its width, the lines above, and what it left to list and text.
}

// shelf is what a screen is apart from its pane.
type shelf interface {
	load() tea.Cmd            // Starts to read what is shown.
	take(msg tea.Msg) tea.Cmd // Takes the results of its jobs.
	deeds() []deed
}

// nothing is More where a row says all.
type nothing struct{}

func newPane[Row, More any](self shelf, env *Env, share float64, list *ui.List[Row], ref func(Row) string, write func(Row, *More, int) string) pane[Row, More] {
	p := pane[Row, More]{
		self: self, list: list, pager: ui.NewPager(env.Styles), share: share, most: mostKept, ref: ref, write: write,
		jobs: env.Jobs, styles: env.Styles, have: map[string]known[More]{},
	}
	p.focus(false)
	return p
}

// Init implements ui.Screen.
func (p *pane[Row, More]) Init() tea.Cmd {
	p.forget()
	return p.self.load()
}

// Typing implements ui.Typer.
func (p *pane[Row, More]) Typing() bool { return p.list.Typing() || p.on && p.pager.Typing() }

// Escape implements ui.Escaper.
func (p *pane[Row, More]) Escape() bool {
	if !p.on {
		return p.list.Escape()
	}
	if !p.pager.Escape() {
		p.focus(false)
	}
	return true
}

// Copy implements ui.Copier.
func (p *pane[Row, More]) Copy() string {
	row, ok := p.list.Selected()
	if !ok {
		return ""
	}
	return p.ref(row)
}

// Update implements ui.Screen.
func (p *pane[Row, More]) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case ui.ChangedMsg:
		return p.Init()
	case labelsMsg:
		p.tabs.hear(msg)
	case unreadMsg:
		p.tabs.hearUnread(msg)
	case moreRead[More]:
		p.keep(msg.ref, known[More]{more: msg.more, note: msg.note})
	case tea.MouseMsg:
		cmd = p.mouse(msg)
	case tea.PasteMsg:
		cmd = tea.Batch(p.list.Update(msg), p.pager.Update(msg)) // Whichever is typed in.
	case tea.KeyPressMsg:
		cmd = p.key(msg)
	case ui.OpenMsg:
		cmd, _ = p.own(ui.Press("enter"))
	default:
		if failed, ok := msg.(ui.FailedMsg); ok {
			p.failed(failed)
		}
		p.again = true
		cmd = p.self.take(msg)
	}
	if p.after != nil {
		cmd = tea.Batch(cmd, p.after())
	}
	if p.tabs != nil {
		cmd = tea.Batch(cmd, p.tabs.countUnread(p.self.(ui.Screen)))
	}
	return tea.Batch(cmd, p.rest())
}
