package views

import (
	"context"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"lcm-tui/data"
	"lcm-tui/ui"
)

// Focus is the focus briefs of a conversation: texts that stand for all summaries
// up to a point while they are active.
type Focus struct {
	tab
	pane    beside
	list    *ui.List[data.FocusBrief]
	version int // Counts what was loaded.
}

var _ ui.Screen = (*Focus)(nil)

func newFocus(t tab) ui.Screen {
	v := &Focus{tab: t}
	v.pane = newBeside(v.env().Styles, 0.5)
	v.list = ui.NewList(v.env().Styles, func(b data.FocusBrief) string { return b.ID }, v.row,
		func(b data.FocusBrief) string { return b.Status + " " + b.Prompt + " " + b.ID })
	return v
}

// Purpose implements ui.Screen.
func (v *Focus) Purpose() string {
	return "Briefs that keep an agent on a subject: while one is active, the model sees it in place of the summaries that it was made of."
}

// Actions implements ui.Screen.
func (v *Focus) Actions() []ui.Action {
	b, some := v.list.Selected()
	own := []ui.Action{
		keyRead.In("Read").InFooter().Off(some && !v.pane.on, "there are no focus briefs"),
		keySources.In("Look").InFooter().Off(source(b) != "", "the brief names no summary that exists"),
	}
	if v.pane.on {
		own = append([]ui.Action{keyBackList.In("Read").InFooter()}, own...)
	}
	return append(append(own, v.pane.actions(v.list.Actions())...), v.tabActions()...)
}

var keySources = ui.Act("s", "s", "its first summary")

// source is the first summary of a brief that exists, or empty.
func source(b data.FocusBrief) string {
	for _, s := range b.Sources {
		if !s.Missing {
			return s.Summary
		}
	}
	return ""
}

// Init implements ui.Screen.
func (v *Focus) Init() tea.Cmd { return tea.Batch(v.label(v), v.load()) }

type briefsMsg []data.FocusBrief

func (v *Focus) load() tea.Cmd {
	db, conv := v.env().DB, v.hub.row.ID
	return v.env().Jobs.Start(v, "load", read(func(ctx context.Context) (briefsMsg, error) { return db.FocusBriefs(ctx, conv) }))
}

// Typing implements ui.Typer.
func (v *Focus) Typing() bool { return v.list.Typing() }

// Escape implements ui.Escaper.
func (v *Focus) Escape() bool { return v.pane.close() || v.list.Escape() }

// Copy implements ui.Copier.
func (v *Focus) Copy() string {
	b, _ := v.list.Selected()
	return b.ID
}

// Update implements ui.Screen.
func (v *Focus) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case labelsMsg:
		v.hear(msg)
	case briefsMsg:
		v.take(msg)
	case ui.ChangedMsg:
		return v.Init()
	case ui.OpenMsg:
		v.pane.on = true
	case tea.KeyPressMsg:
		return v.key(msg)
	case tea.PasteMsg:
		return v.list.Update(msg)
	case tea.MouseWheelMsg, tea.MouseClickMsg:
		if cmd, taken := v.tabClick(msg, v.pane.width); taken {
			return cmd
		}
		if forList := v.pane.mouse(msg); forList != nil {
			return v.list.Update(forList)
		}
	}
	return nil
}

func (v *Focus) take(briefs []data.FocusBrief) {
	v.version++
	v.list.Empty = "no focus briefs: the host writes one when it is asked to focus on a subject"
	if k := v.env().DB.Kind(); !v.env().DB.Schema().Has("focus_briefs") {
		v.list.Empty = "focus briefs exist from 0.11 on; this file is " + first(k.Level, k.Name, "older")
	}
	width, height := v.pane.listSize()
	resettle(v.list, func(b data.FocusBrief) string { return b.ID }, width, height, func() { v.list.SetItems(briefs) })
}

func (v *Focus) key(msg tea.KeyPressMsg) tea.Cmd {
	b, some := v.list.Selected()
	switch {
	case v.list.Typing():
		return v.list.Update(msg)
	case key.Matches(msg, keyRead.Key):
		v.pane.on = some
		return nil
	case key.Matches(msg, keySources.Key) && source(b) != "":
		return v.showSummary(source(b))
	case v.pane.key(msg):
		return nil
	}
	if cmd := v.tabKey(msg); cmd != nil {
		return cmd
	}
	return v.list.Update(msg)
}

// View implements ui.Screen.
func (v *Focus) View(width, height int) string {
	v.list.Blurred = v.pane.on
	return v.tabLine(width) + "\n" + v.pane.view(v.listView, v.write, width, height-1, 1)
}

func (v *Focus) listView(width, height int) string {
	v.list.Head = v.columns(width - 1).head(v.env().Styles.Muted)
	return v.list.View(width, height)
}

func (v *Focus) columns(width int) layout {
	return lay([]column{
		{title: "status", width: 12},
		{title: "prompt"},
		{title: "tokens", width: 16, right: true, from: 50},
		{title: "to seq", width: 7, right: true, from: 64},
		{title: "made", width: 7, right: true},
	}, width)
}

func (v *Focus) row(b data.FocusBrief, width int, _ bool) string {
	s := v.env().Styles
	return v.columns(width).line(func(title string) string {
		switch title {
		case "status":
			return v.status(b)
		case "prompt":
			return ui.LineN(b.Prompt, width)
		case "tokens":
			return ui.Num(b.Tokens) + " of " + ui.Tokens(b.Target)
		case "to seq":
			if b.CoveredSeq == 0 {
				return ""
			}
			return ui.Num(b.CoveredSeq)
		}
		return s.Muted.Render(ago(b.CreatedAt.Time, v.env().Now()))
	})
}

// status is the status of a brief with its mark.
func (v *Focus) status(b data.FocusBrief) string {
	s := v.env().Styles
	style, mark := s.Muted, "○"
	switch b.Status {
	case "active":
		style, mark = s.Good, "●"
	case "failed":
		style, mark = s.Bad, "!"
	case "draft":
		style, mark = s.Accent, "·"
	}
	return style.Render(mark + " " + ui.LineN(b.Status, 20))
}

func (v *Focus) write(width int) {
	b, ok := v.list.Selected()
	if !ok {
		v.pane.show(nil, nil, width, func(int) string { return "" })
		return
	}
	v.pane.show(b.ID, v.version, width, func(width int) string { return v.describe(b, width) })
}

func (v *Focus) describe(b data.FocusBrief, width int) string {
	s := v.env().Styles
	var out strings.Builder
	line := func(style lipgloss.Style, label, text string) {
		out.WriteString(style.Render(label) + text + "\n")
	}
	line(s.Title, ui.Line(b.ID), "  "+v.status(b))
	line(s.Muted, "made ", v.env().stamp(b.CreatedAt))
	line(s.Muted, "tokens ", ui.Num(b.Tokens)+" of "+ui.Tokens(b.Target))
	line(s.Muted, "knows all up to ", v.upTo(b))
	if b.Error != "" {
		line(s.Bad, "! failed: ", ui.Line(b.Error))
	}
	line(s.Muted, "\nprompt", "\n"+ui.Clean(b.Prompt))
	line(s.Muted, "\nbrief", "")
	if strings.TrimSpace(b.Content) == "" {
		line(s.Muted, "it has no text", "")
	} else {
		line(s.Muted, "", ui.Markdown(b.Content, width, s.Dark))
	}
	line(s.Muted, "\n"+ui.Count(int64(len(b.Sources)), "source", "sources"), "")
	for _, src := range b.Sources {
		gone := ""
		if src.Missing {
			gone = s.Bad.Render("  ! there is no such summary")
		}
		line(s.Muted, ui.Pad(ui.LineN(src.Role, 12), 12)+" ", ui.Line(src.Summary)+gone)
	}
	return strings.TrimRight(out.String(), "\n")
}

// upTo is the last message that a brief knows of.
func (v *Focus) upTo(b data.FocusBrief) string {
	switch {
	case b.CoveredSeq == 0 && !b.CoveredAt.Valid():
		return "nothing that was noted"
	case b.CoveredSeq == 0:
		return v.env().stamp(b.CoveredAt)
	}
	return "seq " + ui.Num(b.CoveredSeq) + ", " + v.env().stamp(b.CoveredAt)
}
