package conversation

import (
	"strings"

	"charm.land/lipgloss/v2"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/search"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// The widths of the list from which it says in words what the model sees of a message, and
// from which roles are not shortened: below, the text needs the room.
const (
	seenAsFrom    = 112
	wholeRoleFrom = 72
)

// columns returns the columns of the list. The head of the times names their zone.
func (v *Messages) columns(width int) views.Columns {
	role := 4
	if width >= wholeRoleFrom {
		role = 9
	}
	return views.Lay([]views.Column{
		{Title: "seq", Width: max(3, len(ui.Num(v.ends.Last))), Right: true},
		{Title: "role", Width: role},
		{Title: v.timeTitle(), Width: 5, From: 56},
		{Title: "tokens", Width: max(len("tokens"), v.tokensWidth), Right: true},
		{Title: "seen as", Width: 16, From: seenAsFrom},
		{Title: "in", Width: 2}, // The same in short.
		{Title: "message"},
	}, width).Without(width >= seenAsFrom, "in")
}

func (v *Messages) timeTitle() string {
	m, some := v.List.Selected()
	if !some || !m.CreatedAt.Valid() {
		return v.Env().Zone(v.Env().Now())
	}
	return v.Env().Zone(m.CreatedAt.Time)
}

// row draws one message.
func (v *Messages) row(m *lcm.Message, width int, _ bool) string {
	columns := v.columns(width)
	return columns.Line(func(title string) string { return v.cell(m, title, columns.Width(title)) })
}

func (v *Messages) cell(m *lcm.Message, title string, width int) string {
	s := v.Env().Styles
	switch title {
	case "seq":
		return s.Faint.Render(ui.Num(m.Seq))
	case "role":
		return s.Role(m.Role).Render(views.RoleText(m.Role, width))
	case "tokens":
		return ui.Tokens(m.Tokens)
	case "in":
		return coverText(s, m, 0)
	case "seen as":
		return coverText(s, m, 13)
	case "message":
		return v.preview(m, width)
	}
	if !m.CreatedAt.Valid() {
		return s.Warn.Render("~")
	}
	return s.Muted.Render(v.Env().Local(m.CreatedAt.Time).Format("15:04"))
}

// coverText says what the model sees of a message: itself, its summary, whose id
// has so many cells, or nothing.
func coverText(s *ui.Styles, m *lcm.Message, idWidth int) string {
	switch {
	case m.InContext && idWidth == 0:
		return s.Good.Render("●")
	case m.InContext && len(m.SummaryIDs) == 0:
		return s.Good.Render("●") + " in context"
	case m.InContext:
		return s.Good.Render("●") + "  " + s.D0.Render(ui.CutMiddle(ui.Line(m.SummaryIDs[0]), idWidth))
	case len(m.SummaryIDs) > 0:
		return strings.TrimSpace(s.D0.Render("d0") + " " + ui.CutMiddle(ui.Line(m.SummaryIDs[0]), idWidth))
	case idWidth == 0:
		return s.Warn.Render("!")
	}
	return s.Warn.Render("! uncovered")
}

// dayDivider returns the line above the first message of a day.
func dayDivider(env *views.Env, prev, next *lcm.Message) string {
	if !prev.CreatedAt.Valid() || !next.CreatedAt.Valid() {
		return ""
	}
	const layout = "Mon 2006-01-02"
	day := env.Local(next.CreatedAt.Time).Format(layout)
	if day == env.Local(prev.CreatedAt.Time).Format(layout) {
		return ""
	}
	return env.Styles.Faint.Render("── " + day + " ──")
}

// finderOf returns what finds the matches that are marked: of the search in a conversation, else those of the search that
// led there; nil where there is none.
func finderOf(needle string, marks func(string) []search.Span) func(string) []search.Span {
	if needle != "" {
		return views.FindText(needle)
	}
	return marks
}

// wholeLine is the line of a message whose match lies behind the start that the list holds.
type wholeLine struct {
	whole  *lcm.Message
	needle string
	width  int
	text   string
}

// preview returns a message in one line of width cells, cut so that its first match is seen.
func (v *Messages) preview(m *lcm.Message, width int) string {
	find := finderOf(v.needle, v.Hub.Marks)
	line := previewLine(v.Env().Styles, m, width, v.needle != "", find)
	whole := v.Details[messageID(m)].Detail
	if find == nil || whole == nil || views.IsMarked(line) {
		return views.CutToMark(line, width)
	}
	if w := v.wholeLine; w.whole != whole || w.needle != v.needle || w.width != width {
		v.wholeLine = wholeLine{whole, v.needle, width, previewLine(v.Env().Styles, whole, width, v.needle != "", find)}
	}
	return views.CutToMark(v.wholeLine.text, width)
}

// previewLine returns a message in one line: its text, then the tools, the files, and that there was reasoning.
func previewLine(s *ui.Styles, m *lcm.Message, width int, searched bool, find func(string) []search.Span) string {
	if f, ok := data.ParseForgotten(m.Content); ok && !searched {
		return s.Warn.Render("forgotten") + s.Muted.Render(strings.TrimRight("  "+ui.Size(f.Bytes)+" of text  "+strings.Join(f.Files, "  "), " "))
	}
	var texts, tools, files, thoughts []string
	add := func(list *[]string, style lipgloss.Style, sign, text string) {
		t := views.LongExcerpt(text, width, find)
		if sign != "" {
			t = strings.TrimSpace(style.Render(sign) + " " + t)
		}
		if t != "" {
			*list = append(*list, t)
		}
	}
	if strings.TrimSpace(m.Content) != "" {
		sign := ""
		if m.Role == "tool" {
			sign = "↳"
		}
		add(&texts, s.Tool, sign, m.Content)
	}
	for _, p := range m.Parts {
		switch p.Type {
		case "text":
			if len(texts) == 0 && strings.TrimSpace(p.Text) != "" {
				add(&texts, s.Tool, "", p.Text)
			}
		case "reasoning":
			add(&thoughts, s.Muted, "⋯", p.Text)
		case "tool":
			toolTexts(m.WithAnswer(p), m.Role, func(sign, text string) { add(&tools, s.Tool, sign, text) })
		case "file":
			add(&files, s.Accent, "file", p.FileName)
		default:
			add(&files, s.Muted, "["+ui.LineN(p.Type, 16)+"]", views.FirstNonEmpty(p.Text, p.FileName))
		}
	}
	if m.LargeContent != "" {
		add(&files, s.Accent, "file", m.LargeContent)
	}
	line := strings.Join(append(append(append(texts, tools...), files...), thoughts...), "  ")
	if find == nil || views.IsMarked(line) {
		return line
	}
	for _, p := range m.Parts { // What the line leaves out otherwise.
		for _, text := range []string{p.ToolInput, p.Metadata} {
			if t := views.Excerpt(text, width, find); views.IsMarked(t) {
				return line + "  " + t
			}
		}
	}
	return line
}

// toolTexts adds a call and its result, each with a sign.
func toolTexts(p lcm.Part, role string, add func(sign, text string)) {
	if p.ToolInput != "" || p.ToolOutput == "" && role != "tool" {
		add("["+views.FirstNonEmpty(ui.LineN(p.ToolName, 24), "tool")+"]", lcm.Argument(p.ToolInput))
	}
	if p.ToolOutput != "" {
		add("↳", lcm.Answer(p.ToolOutput))
	}
}

// Legend implements ui.Legender.
func (v *Messages) Legend() []ui.Sign {
	s := v.Env().Styles
	return []ui.Sign{
		{Mark: s.Good.Render("●"), Meaning: "in the context: the model sees the message itself"},
		{Mark: s.D0.Render("d0"), Meaning: "the model sees a summary that covers it"},
		{Mark: s.Warn.Render("!"), Meaning: "uncovered: neither in the context nor under a summary"},
		{Mark: s.Tool.Render("[exec]"), Meaning: "a call of this tool"},
		{Mark: s.Tool.Render("↳"), Meaning: "what a tool answered"},
		{Mark: s.Muted.Render("⋯"), Meaning: "reasoning"},
		{Mark: s.Warn.Render("forgotten"), Meaning: "its text was removed to save space; a stub stands in its place"},
		{Mark: s.Warn.Render("~"), Meaning: "a time that can't be read"},
	}
}
