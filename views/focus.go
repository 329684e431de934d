package views

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// Focus is the focus briefs of a conversation: texts that stand for all summaries
// up to a point while they are active.
type Focus struct {
	Tab
	ListScreen[*lcm.FocusBrief, noDetail]
}

var _ ui.Screen = (*Focus)(nil)

func NewFocus(t Tab) ui.Screen {
	v := &Focus{Tab: t}
	id := func(b *lcm.FocusBrief) string { return b.ID }
	list := ui.NewList(v.env().Styles, id, v.row, func(b *lcm.FocusBrief) string { return b.Status + " " + b.Prompt + " " + b.ID })
	v.ListScreen = NewListScreen(v, v.env(), 0.5, list, id, v.describe)
	v.tabs, v.layoutColumns = &v.Tab, v.columns
	return v
}

// Purpose implements ui.Screen.
func (v *Focus) Purpose() string {
	return "Briefs that keep an agent on a subject: while one is active, the model sees it in place of the summaries that it was made of."
}

func (v *Focus) OwnActions() []Action {
	b, _ := v.list.Selected()
	return []Action{
		v.readAction("there are no focus briefs"),
		{
			keySources.In("Look").InFooter().Off(source(b) != "", "the brief names no summary that exists"),
			func() tea.Cmd { return v.showSummary(source(b)) },
		},
	}
}

var keySources = ui.Act("s", "s", "its first summary")

// source is the first summary of a brief that exists, or empty.
func source(b *lcm.FocusBrief) string {
	if b == nil {
		return ""
	}
	for _, s := range b.Sources {
		if !s.Missing {
			return s.Summary
		}
	}
	return ""
}

type briefsMsg []lcm.FocusBrief

func (v *Focus) Load() tea.Cmd {
	db, conv := v.env().DB, v.hub.row.ID
	return tea.Batch(v.label(v), v.env().Jobs.Read(v, "load", read(func(ctx context.Context) (briefsMsg, error) { return lcm.FocusBriefs(ctx, db, conv) })))
}

func (v *Focus) Receive(msg tea.Msg) tea.Cmd {
	briefs, ok := msg.(briefsMsg)
	if !ok {
		return nil
	}
	v.list.Empty = "no focus briefs: the host writes one when it is asked to focus on a subject"
	if k := v.env().DB.Kind(); !v.env().DB.Schema().Has("focus_briefs") {
		v.list.Empty = "focus briefs exist from 0.11 on; this file is " + firstNonEmpty(k.Level, k.Name, "older")
	}
	v.setRows(pointersTo(briefs))
	return nil
}

func (v *Focus) columns(width int) Columns {
	return Lay([]Column{
		{title: "status", width: 12},
		{title: "prompt"},
		{title: "tokens", width: 16, right: true, from: 50},
		{title: "to seq", width: 7, right: true, from: 64},
		{title: "made", width: 7, right: true},
	}, width)
}

func (v *Focus) row(b *lcm.FocusBrief, width int, _ bool) string {
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
func (v *Focus) status(b *lcm.FocusBrief) string {
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

func (v *Focus) describe(b *lcm.FocusBrief, _ noDetail, width int) string {
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
	line(s.Muted, "\nprompt", "\n"+ui.Sanitize(b.Prompt))
	line(s.Muted, "\nbrief", "")
	if strings.TrimSpace(b.Content) == "" {
		line(s.Muted, "it has no text", "")
	} else {
		line(s.Muted, "", ui.Markdown(b.Content, width, s.DarkBackground))
	}
	line(s.Muted, "\n"+plural.Count(len(b.Sources), "source", "sources"), "")
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
func (v *Focus) upTo(b *lcm.FocusBrief) string {
	switch {
	case b.CoveredSeq == 0 && !b.CoveredAt.Valid():
		return "nothing that was noted"
	case b.CoveredSeq == 0:
		return v.env().stamp(b.CoveredAt)
	}
	return "seq " + ui.Num(b.CoveredSeq) + ", " + v.env().stamp(b.CoveredAt)
}

// GoTo puts the cursor on a row.
func (v *Focus) GoTo(to Target) tea.Cmd {
	v.list.Select(to.ID)
	return nil
}
