package views

import (
	"context"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/ui"
)

// History is what this program has written to the file, and the way to take it
// back.
type History struct {
	env    *Env
	list   *ui.List[data.Record]
	detail *ui.Pager
	shown  int64 // The record in the detail.
}

var _ ui.Screen = (*History)(nil)

// NewHistory is the screen of the file's records.
func NewHistory(env *Env) *History {
	h := &History{env: env, detail: ui.NewPager(env.Styles)}
	h.list = ui.NewList(env.Styles, func(r data.Record) string { return itoa(r.ID) }, h.render,
		func(r data.Record) string { return r.Op + " " + r.Title })
	h.list.Empty = "nothing was written to this file by lcm-tui yet; what is applied from a review appears here"
	h.detail.Keys = ui.DetailKeys()
	return h
}

// Title implements ui.Screen.
func (h *History) Title() string { return "History" }

// Purpose implements ui.Screen.
func (h *History) Purpose() string {
	return "Everything that lcm-tui wrote to this file, newest first; each entry can be undone while its rows are as it left them."
}

var keyUndo = ui.Act("u", "u", "undo")

// Actions implements ui.Screen.
func (h *History) Actions() []ui.Action {
	r, some := h.list.Selected()
	why := "it is undone already"
	if !some {
		why = "there is nothing to undo"
	}
	if ro := h.env.readOnly(); ro != "" {
		why = ro
	}
	own := []ui.Action{keyUndo.In("Change").InFooter().Off(some && !r.Undone() && h.env.readOnly() == "", why)}
	return append(append(own, h.list.Actions()...), h.detail.Actions()...)
}

// Init implements ui.Screen.
func (h *History) Init() tea.Cmd { return h.load() }

type (
	recordsMsg []data.Record
	recordMsg  struct {
		record  data.Record
		changes []data.Change
	}
)

func (h *History) load() tea.Cmd {
	db := h.env.DB
	return h.env.Jobs.Start(h, "load", read(func(ctx context.Context) (recordsMsg, error) { return db.History(ctx) }))
}

// Typing implements ui.Typer.
func (h *History) Typing() bool { return h.list.Typing() }

// Escape implements ui.Escaper.
func (h *History) Escape() bool { return h.list.Escape() }

// Copy implements ui.Copier.
func (h *History) Copy() string {
	if r, ok := h.list.Selected(); ok {
		return itoa(r.ID)
	}
	return ""
}

// Update implements ui.Screen.
func (h *History) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case ui.ChangedMsg:
		h.shown = 0
		return h.load()
	case recordsMsg:
		h.list.SetItems(msg)
	case recordMsg:
		h.detail.Show(h.describe(msg.record, msg.changes))
	case tea.KeyPressMsg:
		if r, ok := h.list.Selected(); ok && !h.list.Typing() && key.Matches(msg, keyUndo.Key) && !r.Undone() && h.env.readOnly() == "" {
			return h.env.undo(h, r.ID)
		}
		cmd = tea.Batch(h.list.Update(msg), h.detail.Update(msg))
	default:
		cmd = h.list.Update(msg)
	}
	return tea.Batch(cmd, h.open())
}

// open loads what the record under the cursor changed.
func (h *History) open() tea.Cmd {
	r, ok := h.list.Selected()
	if !ok || r.ID == h.shown {
		return nil
	}
	h.shown = r.ID
	db := h.env.DB
	return h.env.Jobs.Quiet(h, "record", read(func(ctx context.Context) (recordMsg, error) {
		record, changes, err := db.RecordChanges(ctx, r.ID)
		return recordMsg{record, changes}, err
	}))
}

func (h *History) render(r data.Record, width int, _ bool) string {
	s := h.env.Styles
	state := s.Good.Render("applied")
	if r.Undone() {
		state = s.Muted.Render("undone ")
	}
	return ui.Cut(ui.PadLeft("#"+itoa(r.ID), 5)+" "+state+" "+ui.PadLeft(ago(r.AppliedAt.Time, h.env.Now()), 8)+"  "+ui.Line(r.Title), width)
}

// describe is a record in words, and its rows.
func (h *History) describe(r data.Record, cs []data.Change) string {
	s := h.env.Styles
	var b strings.Builder
	b.WriteString(s.Title.Render("#"+itoa(r.ID)+" "+ui.Line(r.Op)) + "\n" + ui.Line(r.Title) + "\n\n")
	b.WriteString(s.Muted.Render("applied ") + ui.When(r.AppliedAt.Time) + "\n")
	if r.Undone() {
		b.WriteString(s.Muted.Render("undone  ") + ui.When(r.UndoneAt.Time) + "\n")
	}
	b.WriteString("\n" + rowLines(s, cs))
	return b.String()
}

// View implements ui.Screen.
func (h *History) View(width, height int) string {
	if !ui.Wide(width) {
		return h.list.View(width, height)
	}
	left, right, rows := ui.Panes(width, height, 0.5)
	return ui.Split(h.env.Styles, h.list.View(left, rows), h.detail.View(right, rows), width, height, 0.5, false)
}
