package compare

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/diff/filepair"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// place returns the row in the database that a line is about, in the form in which places are gone to;
// not ok where the database hasn't it.
func (v *Diff) place(r *diffLine) (f *integrity.Finding, ok bool) {
	conv, cells := r.conversation.BeforeID, func(row *filepair.Row) data.Row { return row.Before }
	if v.source.later {
		conv, cells = r.conversation.AfterID, func(row *filepair.Row) data.Row { return row.After }
	}
	if conv == nil {
		return nil, false
	}
	f = &integrity.Finding{Conversation: *conv, Table: "conversations"}
	switch {
	case r.row != nil:
		row := cells(r.row)
		if row == nil {
			return nil, false
		}
		f.Table = r.row.Table
		f.Row = data.CellText(row[placeColumn(r.row.Table)])
	case r.item != nil:
		at := r.item.Before
		if v.source.later {
			at = r.item.After
		}
		if at == nil {
			return nil, false
		}
		f.Table, f.Row = "context_items", views.Itoa(*at)
	}
	_, ok = views.TabOf(f.Table)
	return f, ok
}

// placeColumn returns the column that names the place of a row of a table.
func placeColumn(table string) string {
	switch table {
	case "messages", "message_parts":
		return "message_id"
	case "summaries", "summary_messages", "summary_parents":
		return "summary_id"
	case "large_files":
		return "file_id"
	case "focus_briefs":
		return "brief_id"
	}
	return "conversation_id"
}

// whyNotVisited says why a line has no place in the database, or is empty.
func (v *Diff) whyNotVisited(r *diffLine) string {
	if _, ok := v.place(r); ok && r.remark == "" {
		return ""
	}
	return "only the other file has it"
}

// summary says how both files are related, and how much differs.
func (v *Diff) summary(width, _ int) (lines []string) {
	if v.report == nil {
		return nil
	}
	s, r := v.env.Styles, v.report
	parts := []string{r.Sum()}
	for _, t := range r.Tables {
		parts = append(parts, t.Name+" differs")
	}
	if r.Lineage == filepair.ByMeaning {
		parts = append(parts, "no file is a copy of the other, so rows are matched by what they mean")
	}
	if n := len(r.Before.Only) + len(r.After.Only); n > 0 {
		parts = append(parts, plural.Count(n, "table or column is", "tables and columns are")+" in one file only and not compared")
	}
	for _, n := range append(r.Notes, v.note) {
		if n != "" {
			parts = append(parts, n)
		}
	}
	for _, l := range views.WrapAtMost(ui.Line(strings.Join(parts, "; ")), width-1, views.StateLines) {
		lines = append(lines, s.Muted.Render(" "+l))
	}
	for _, u := range r.Uncompared() {
		for _, l := range views.WrapAtMost("! "+ui.Line(u), width-1, views.StateLines) {
			lines = append(lines, s.Bad.Render(" "+l))
		}
	}
	if v.stale {
		lines = append(lines, s.Warn.Render(ui.Cut(" ~ the database has changed since: ctrl+r compares again", width)))
	}
	return lines
}

// visit shows the place of a line in the database.
func (v *Diff) visit(r *diffLine) tea.Cmd {
	place, ok := v.place(r)
	if !ok {
		return nil
	}
	to, _ := views.TargetOf(place)
	return v.env.Visit(v, place.Conversation, to)
}
