package conversation

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Focus is the focus briefs of a conversation: texts that stand for all summaries
// up to a point while they are active.
type Focus struct {
	views.Tab
	views.ListScreen[*lcm.FocusBrief, views.NoDetail]
}

var _ ui.Screen = (*Focus)(nil)

// NewFocus returns the tab of the focus briefs.
func NewFocus(t views.Tab) ui.Screen {
	v := &Focus{Tab: t}
	id := func(b *lcm.FocusBrief) string { return b.ID }
	list := ui.NewList(v.Env().Styles, id, v.row, func(b *lcm.FocusBrief) string { return b.Status + " " + b.Prompt + " " + b.ID })
	v.ListScreen = views.NewListScreen(v, v.Env(), 0.5, list, id, v.describe)
	v.Tabs, v.LayoutColumns = &v.Tab, v.columns
	return v
}

// Purpose implements ui.Screen.
func (v *Focus) Purpose() string {
	return "Briefs that keep an agent on a subject: while one is active, the model sees it in place of the summaries that it was made of."
}

// OwnActions implements views.ListOwner.
func (v *Focus) OwnActions() []views.Action {
	b, _ := v.List.Selected()
	return []views.Action{
		v.ReadAction("there are no focus briefs"),
		{
			Action: keySources.In("Look").InFooter().Off(source(b) != "", "the brief names no summary that exists"),
			Run:    func() tea.Cmd { return showSummary(&v.Tab, source(b)) },
		},
	}
}

var keySources = ui.Act("s", "s", "its first summary")

// source returns the first summary of a brief that exists, or empty.
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

// Load implements views.ListOwner.
func (v *Focus) Load() tea.Cmd {
	db, conv := v.Env().DB, v.Hub.Row.ID
	return tea.Batch(v.Label(v), v.Env().Jobs.Read(v, "load", views.Read(func(ctx context.Context) (briefsMsg, error) { return lcm.FocusBriefs(ctx, db, conv) })))
}

// Receive implements views.ListOwner.
func (v *Focus) Receive(msg tea.Msg) tea.Cmd {
	briefs, ok := msg.(briefsMsg)
	if !ok {
		return nil
	}
	v.List.Empty = "no focus briefs: the host writes one when it is asked to focus on a subject"
	if !v.Env().DB.Schema().Has("focus_briefs") {
		v.List.Empty = "no table of focus briefs, which hosts make from 0.11 on"
	}
	v.SetRows(views.PointersTo(briefs))
	return nil
}

func (v *Focus) columns(width int) views.Columns {
	return views.Lay([]views.Column{
		{Title: "status", Width: 12},
		{Title: "prompt"},
		{Title: "tokens", Width: 16, Right: true, From: 50},
		{Title: "to seq", Width: 7, Right: true, From: 64},
		{Title: "made", Width: 7, Right: true},
	}, width)
}

func (v *Focus) row(b *lcm.FocusBrief, width int, _ bool) string {
	s := v.Env().Styles
	return v.columns(width).Line(func(title string) string {
		switch title {
		case "status":
			return v.status(b)
		case "prompt":
			return v.prompt(b, v.columns(width).Width(title))
		case "tokens":
			return ui.Num(b.Tokens) + " of " + ui.Tokens(b.Target)
		case "to seq":
			if b.CoveredSeq == 0 {
				return ""
			}
			return ui.Num(b.CoveredSeq)
		}
		return s.Muted.Render(views.Ago(b.CreatedAt.Time, v.Env().Now()))
	})
}

// prompt returns the prompt of a brief in width cells, or what a search found in its text alone.
func (v *Focus) prompt(b *lcm.FocusBrief, width int) string {
	prompt := views.Excerpt(b.Prompt, width, v.Hub.Marks)
	if found := views.Excerpt(b.Content, width, v.Hub.Marks); views.IsMarked(found) && !views.IsMarked(prompt) {
		return found
	}
	return prompt
}

// status returns the status of a brief with its mark.
func (v *Focus) status(b *lcm.FocusBrief) string {
	s := v.Env().Styles
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

func (v *Focus) describe(b *lcm.FocusBrief, _ views.NoDetail, width int) string {
	text := v.Hub.Mark(v.facts(b, width))
	v.ScrollToMark(b.ID, text)
	return text
}

// facts returns what is known of a brief, with its texts.
func (v *Focus) facts(b *lcm.FocusBrief, width int) string {
	s := v.Env().Styles
	var out strings.Builder
	line := func(style lipgloss.Style, label, text string) {
		out.WriteString(style.Render(label) + text + "\n")
	}
	line(s.Title, ui.Line(b.ID), "  "+v.status(b))
	line(s.Muted, "made ", v.Env().Stamp(b.CreatedAt))
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

// upTo returns the last message that a brief knows of.
func (v *Focus) upTo(b *lcm.FocusBrief) string {
	switch {
	case b.CoveredSeq == 0 && !b.CoveredAt.Valid():
		return "nothing that was noted"
	case b.CoveredSeq == 0:
		return v.Env().Stamp(b.CoveredAt)
	}
	return "seq " + ui.Num(b.CoveredSeq) + ", " + v.Env().Stamp(b.CoveredAt)
}

// GoTo puts the cursor on a row.
func (v *Focus) GoTo(to views.Target) tea.Cmd {
	v.List.Select(to.ID)
	if to.Marked {
		v.MarkedRef = to.ID
	}
	return nil
}
