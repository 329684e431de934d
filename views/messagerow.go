package views

import (
	"encoding/json"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/ui"
)

// The widths of the list from which it says in words what the model sees of a message, and
// from which roles are not shortened: below, the text needs the room.
const (
	seenAsFrom    = 112
	wholeRoleFrom = 72
)

// columns are the columns of the list. The head of the times names their zone.
func (v *Messages) columns(width int) layout {
	role := 4
	if width >= wholeRoleFrom {
		role = 9
	}
	return lay([]column{
		{title: "seq", width: max(3, len(ui.Num(v.ends.Last))), right: true},
		{title: "role", width: role},
		{title: v.timeTitle(), width: 5, from: 56},
		{title: "tokens", width: max(len("tokens"), v.tokensWidth), right: true},
		{title: "seen as", width: 16, from: seenAsFrom},
		{title: "in", width: 2}, // The same in short.
		{title: "message"},
	}, width).without(width >= seenAsFrom, "in")
}

// shortRoles are the roles in a narrow list.
var shortRoles = map[string]string{"assistant": "asst", "system": "sys"}

// roleText is a role in width cells.
func roleText(role string, width int) string {
	if short := shortRoles[role]; short != "" && width < len(role) {
		return short
	}
	return ui.LineN(role, width)
}

func (v *Messages) timeTitle() string {
	m, some := v.list.Selected()
	if !some || !m.CreatedAt.Valid() {
		return v.env().zone(v.env().Now())
	}
	return v.env().zone(m.CreatedAt.Time)
}

// row draws one message.
func (v *Messages) row(m *lcm.Message, width int, _ bool) string {
	columns := v.columns(width)
	return columns.line(func(title string) string { return v.cell(m, title, columns.width(title)) })
}

func (v *Messages) cell(m *lcm.Message, title string, width int) string {
	s := v.env().Styles
	switch title {
	case "seq":
		return s.Faint.Render(ui.Num(m.Seq))
	case "role":
		return s.Role(m.Role).Render(roleText(m.Role, width))
	case "tokens":
		return ui.Tokens(m.Tokens)
	case "in":
		return v.coverText(m, 0)
	case "seen as":
		return v.coverText(m, 13)
	case "message":
		if v.needle == "" && v.hub.marks != nil {
			return underlineMarks(v.preview(m, width), v.hub.marks)
		}
		return ui.UnderlineMatches(v.preview(m, width), v.needle)
	}
	if !m.CreatedAt.Valid() {
		return s.Warn.Render("~")
	}
	return s.Muted.Render(v.env().local(m.CreatedAt.Time).Format("15:04"))
}

// coverText says what the model sees of a message: itself, its summary, whose id
// has so many cells, or nothing.
func (v *Messages) coverText(m *lcm.Message, idWidth int) string {
	s := v.env().Styles
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

// dayDivider is the line above the first message of a day.
func (v *Messages) dayDivider(prev, next *lcm.Message) string {
	if !prev.CreatedAt.Valid() || !next.CreatedAt.Valid() {
		return ""
	}
	const layout = "Mon 2006-01-02"
	day := v.env().local(next.CreatedAt.Time).Format(layout)
	if day == v.env().local(prev.CreatedAt.Time).Format(layout) {
		return ""
	}
	return v.env().Styles.Faint.Render("── " + day + " ──")
}

// preview is a message in one line of width cells: its text, then the
// tools, the files, and that there was reasoning.
func (v *Messages) preview(m *lcm.Message, width int) string {
	s := v.env().Styles
	if f, ok := data.ParseForgotten(m.Content); ok && v.needle == "" {
		return ui.Cut(s.Warn.Render("forgotten")+s.Muted.Render(strings.TrimRight("  "+ui.Size(f.Bytes)+" of text  "+strings.Join(f.Files, "  "), " ")), width)
	}
	var texts, tools, files, thoughts []string
	add := func(list *[]string, style lipgloss.Style, sign, text string) {
		t := v.excerpt(text, width)
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
			v.toolTexts(p, m.Role, func(sign, text string) { add(&tools, s.Tool, sign, text) })
		case "file":
			add(&files, s.Accent, "file", p.FileName)
		default:
			add(&files, s.Muted, "["+ui.LineN(p.Type, 16)+"]", firstNonEmpty(p.Text, p.FileName))
		}
	}
	if m.LargeContent != "" {
		add(&files, s.Accent, "file", m.LargeContent)
	}
	all := append(append(append(texts, tools...), files...), thoughts...)
	return ui.Cut(strings.Join(all, "  "), width)
}

// toolTexts adds a call and its result, each with a sign.
func (v *Messages) toolTexts(p lcm.Part, role string, add func(sign, text string)) {
	if p.ToolInput != "" || p.ToolOutput == "" && role != "tool" {
		add("["+firstNonEmpty(ui.LineN(p.ToolName, 24), "tool")+"]", argument(p.ToolInput))
	}
	if p.ToolOutput != "" {
		add("↳", p.ToolOutput)
	}
}

// itemPreview is the start of what a context item is, in one line. The call of a tool looks
// as it does among the messages.
func itemPreview(it *lcm.ContextItem, width int) string {
	name, input, found := strings.Cut(it.Preview, "] {")
	if it.IsSummary() || !found || !strings.HasPrefix(name, "[") || strings.ContainsAny(name, " \n") {
		return opening(it.Preview, width)
	}
	return ui.LineN(name+"] "+argument("{"+input), width)
}

// argument is the input of a tool, in short: the values of a JSON object that say most, or
// all of it. The input may be cut off after any value or within a text.
func argument(input string) string {
	var o map[string]any
	whole := json.Unmarshal([]byte(input), &o) == nil
	for _, end := range []string{"\"}", "}"} {
		whole = whole || json.Unmarshal([]byte(input+end), &o) == nil
	}
	if !whole {
		return input
	}
	var values []string
	for _, k := range []string{"command", "cmd", "query", "pattern", "path", "file_path", "url"} {
		if s, ok := o[k].(string); ok && s != "" {
			values = append(values, s)
		}
	}
	if len(values) == 0 {
		return input
	}
	return strings.Join(values, "  ")
}

// excerpt is the start of a text in one line, or, where that doesn't hold what is
// searched, the part that does.
func (v *Messages) excerpt(text string, width int) string {
	start := ui.LineN(text, width)
	if v.needle == "" || strings.Contains(strings.ToLower(ansi.Strip(start)), strings.ToLower(v.needle)) {
		return start
	}
	low := strings.ToLower(text)
	at := strings.Index(low, strings.ToLower(v.needle))
	if at < 0 || len(low) != len(text) {
		return start
	}
	return "…" + ui.LineN(strings.ToValidUTF8(text[max(0, at-8):], ""), width-1)
}
