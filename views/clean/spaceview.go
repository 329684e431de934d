package clean

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/internal/plural"
	"lcm-tui/ops/space"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// The lines above the list: the sizes, the bar of the whole file, and the tabs.
const (
	spaceTabLine   = 2
	spaceHeadLines = 3
)

// View implements ui.Screen.
func (v *Space) View(width, height int) string {
	v.showRunning()
	v.drawn = width
	s := v.env.Styles
	v.list.Head = spaceColumns(v.place.innermost().messages(), width-1).Head(s.Muted)
	v.list.Empty = v.emptyReason()
	details := v.details(width, height)
	body := max(1, height-spaceHeadLines-len(details))
	lines := []string{ui.Cut(v.sizes(width), width), v.bar(width), v.place.tabLine().View(s, width), ui.Fit(v.list.View(width, body), width, body)}
	return strings.Join(append(lines, details...), "\n")
}

// sizes says how large the file is, and what is in it that nothing uses.
func (v *Space) sizes(width int) string {
	s, r := v.env.Styles, v.report
	if r == nil {
		return s.Muted.Render(" " + v.emptyReason())
	}
	left := " " + s.Title.Render(ui.Size(r.Bytes)) + afterText(s, r)
	for _, part := range []struct {
		name  string
		bytes int64
	}{{"-wal", r.WALBytes}, {"free pages", r.FreeBytes()}, {"beside the file", r.Beside.Bytes()}} {
		if part.bytes > 0 {
			left += s.Muted.Render("   "+part.name+" ") + ui.Size(part.bytes)
		}
	}
	right := v.state()
	if ansi.StringWidth(left)+ansi.StringWidth(right)+2 > width {
		return left
	}
	return ui.Pad(left, width-ansi.StringWidth(right)-1) + right
}

// afterText says how large the file will be once its free space is given back.
func afterText(s *ui.Styles, r *space.Report) string {
	if !r.Whole() || r.IsServer {
		return ""
	}
	about := ""
	if r.Forecast.Estimated {
		about = "about "
	}
	return s.Muted.Render(", ") + about + ui.Size(r.Forecast.After) + s.Muted.Render(" once reclaimed")
}

// state says whether the numbers are whole and new.
func (v *Space) state() string {
	s := v.env.Styles
	switch {
	case v.running != nil:
		return s.Muted.Render("measuring " + ui.Percent(float64(v.report.Done)/float64(max(1, v.report.Total))))
	case v.endedBy != "":
		return s.Warn.Render("~ not all is measured: ") + s.Muted.Render(v.endedBy)
	case v.stale:
		return s.Warn.Render("~ the file has changed since: ") + s.Muted.Render("ctrl+r measures again")
	}
	if n := len(v.env.Marks); n > 0 {
		return s.Accent.Render(views.MarkSign) + s.Muted.Render(" "+plural.Count(n, "conversation", "conversations")+" marked")
	}
	return s.Muted.Render("/ filter   o sort: " + v.list.SortLabel())
}

// bar divides the file among the groups of the tab.
func (v *Space) bar(width int) string {
	if v.report == nil {
		return ""
	}
	if v.place.innermost().messages() {
		return ui.Cut(v.env.Styles.Muted.Render(" the largest messages, at most "+ui.Num(spaceMessages)), width)
	}
	whole := float64(max(1, v.place.whole(v.report)))
	s := v.env.Styles
	styles := []lipgloss.Style{s.D1, s.D0, s.D2, s.D3, s.User, s.System}
	var parts []ui.Part
	for i, r := range v.place.rows(v.report) {
		share := float64(r.bytes) / whole
		if i == maxSpaceParts || share < leastSpaceShare {
			break
		}
		parts = append(parts, ui.Part{Label: ui.LineN(r.name, 24), Share: share, Style: styles[i%len(styles)], Fill: spaceFills[i%len(spaceFills)]})
	}
	return ui.Stack(width, parts)
}

// maxSpaceParts is how many groups the bar has: more would be single cells.
const maxSpaceParts = 8

// leastSpaceShare is how much of the whole a group has to have for a place in the bar.
const leastSpaceShare = 0.01

// spaceFills tell neighbours in the bar apart where there is no colour.
var spaceFills = []rune{'█', '▓', '▒'}

// details returns lines on the row under the cursor, and a line above them.
func (v *Space) details(width, height int) []string {
	r, ok := v.list.Selected()
	if !ok || height < 14 {
		return nil
	}
	s := v.env.Styles
	lines := []string{s.Faint.Render(strings.Repeat("─", width)), " " + s.Title.Render(ui.Cut(r.title(), width-2))}
	for _, text := range v.sentences(r) {
		for _, line := range strings.Split(ansi.Wrap(text, max(1, width-2), " "), "\n") {
			lines = append(lines, " "+ui.Cut(line, width-1))
		}
	}
	return lines[:min(len(lines), height/3)]
}

// title returns what a row is called above its details.
func (r *spaceRow) title() string {
	switch {
	case r.message != nil:
		return ui.Line("message " + views.Itoa(r.message.ID) + "  " + r.message.Opening)
	case r.group != nil && r.group.Conversation != 0:
		return "#" + views.Itoa(r.group.Conversation) + "  " + ui.Line(r.name)
	}
	return ui.Line(r.name)
}

// sentences say what a row consists of.
func (v *Space) sentences(r *spaceRow) []string {
	switch {
	case r.lever != nil:
		return []string{leverText(r.lever)}
	case r.message != nil:
		return []string{messageText(v.env, r.message)}
	case len(v.place.levels) > 0:
		return []string{rowsText(r.rows) + ", " + ui.Size(r.bytes) + " of " + ui.Size(r.group.Bytes) + " of the conversation"}
	}
	out := []string{tablesText(r.group, v.report.Whole())}
	if r.group.Name == "messages" || r.group.Name == "message_parts" {
		out = append(out, copiesText(v.report.Copies))
	}
	return out
}

// tablesText says which tables or indexes a group is in. whole says that all was measured.
func tablesText(g *space.Group, whole bool) string {
	var parts []string
	for _, t := range g.Tables {
		if t.Bytes > 0 {
			parts = append(parts, ui.Line(t.Table)+" "+ui.Size(t.Bytes))
		}
	}
	text := strings.Join(parts, " · ")
	if g.After > 0 && whole && g.After < g.Bytes {
		text += "; " + ui.Size(g.Bytes-g.After) + " of it is free space"
	}
	return text
}

// copiesText says how often texts of messages stand in the file.
func copiesText(c space.Copies) string {
	if c.Total() == 0 {
		return ""
	}
	if c.Raw+c.Search == 0 {
		return "each text stands up to two times: messages.content " + ui.Size(c.Messages) + ", message_parts.text_content " + ui.Size(c.Parts)
	}
	return "each text stands up to four times: messages.content " + ui.Size(c.Messages) + ", message_parts.text_content " + ui.Size(c.Parts) +
		", raw in metadata " + ui.Size(c.Raw) + ", messages_fts " + ui.Size(c.Search)
}

// messageText says what a message is.
func messageText(e *views.Env, m *space.MessageSize) string {
	parts := []string{e.Label(m.Conversation), "seq " + ui.Num(m.Seq)}
	if at := m.CreatedAt; at.Valid() {
		parts = append(parts, e.Local(at.Time).Format("2006-01-02 15:04"))
	}
	return strings.Join(append(parts, ui.Size(m.Bytes)+" in its row and its parts"), " · ")
}

// refusalsShown are how many reasons for which conversations stay are shown below the list.
const refusalsShown = 4

// leverText says what a way of cleaning does.
func leverText(l *space.Lever) string {
	text := l.Explain()
	if n := len(l.Conversations); n > 0 {
		text += " It is about " + plural.Count(n, "conversation", "conversations") + "; marks limit it."
	}
	for _, r := range l.Refused[:min(len(l.Refused), refusalsShown)] {
		text += " " + plural.Count(len(r.Conversations), "conversation stays", "conversations stay") + " as " + plural.Noun(len(r.Conversations), "it is", "they are") + ": " + r.Reason + "."
	}
	if l.Beside {
		return text + " These bytes are beside the file."
	}
	return text
}
