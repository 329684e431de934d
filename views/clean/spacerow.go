package clean

import (
	"strconv"

	"lcm-tui/internal/plural"
	"lcm-tui/ops/space"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// spaceRow is a row of the screen: a group, a message, or a way of cleaning.
type spaceRow struct {
	name        string
	none        bool // The name stands for what belongs to nothing of the kind.
	rows, bytes int64
	group       *space.Group       // Nil for a message or a way of cleaning.
	message     *space.MessageSize // Nil for all else.
	lever       *space.Lever       // Nil for all else.
}

// id tells rows of a list apart.
func (r *spaceRow) id() string {
	switch {
	case r.message != nil:
		return views.Itoa(r.message.ID)
	case r.group != nil && r.group.Conversation != 0:
		return views.Itoa(r.group.Conversation)
	}
	return strconv.FormatBool(r.none) + r.name
}

// text returns what the filter searches.
func (r *spaceRow) text() string {
	if r.group != nil && r.group.Conversation != 0 {
		return "#" + views.Itoa(r.group.Conversation) + " " + r.name
	}
	return r.name
}

// copied returns what y copies: the id of a conversation or a message, else the name.
func (r *spaceRow) copied() string {
	if r.message != nil || r.group != nil && r.group.Conversation != 0 {
		return r.id()
	}
	return r.name
}

// groupRow returns the row of a group.
func groupRow(g *space.Group, by space.By) *spaceRow {
	r := &spaceRow{name: g.Name, rows: g.Rows, bytes: g.Bytes, group: g}
	if r.name == "" {
		r.name, r.none = space.NameOfNone(by), true
	}
	return r
}

// leverRows returns the ways of cleaning that would give something back, and those that say why they don't.
func leverRows(report *space.Report) (out []*spaceRow) {
	for i := range report.Levers {
		if l := &report.Levers[i]; l.Bytes > 0 || l.Explained {
			out = append(out, &spaceRow{name: l.Name(), rows: l.Rows, bytes: l.Bytes, lever: l})
		}
	}
	return out
}

// spaceColumns returns what fits a width.
func spaceColumns(messages bool, width int) views.Columns {
	rows := "rows"
	if messages {
		rows = "seq"
	}
	return views.Lay([]views.Column{
		{Title: "name"},
		{Title: rows, Width: 11, Right: true, From: 50},
		{Title: "size", Width: 8, Right: true},
		{Title: "share", Width: 5, Right: true, From: 44},
		{Title: " ", Width: max(10, width/4), From: 36},
	}, width)
}

// render draws one row.
func (v *Space) render(r *spaceRow, width int, _ bool) string {
	columns := spaceColumns(v.place.innermost().messages(), width)
	cells := spaceCells{spaceRow: r, styles: v.env.Styles, whole: max(1, v.place.whole(v.report)), largest: max(1, v.largest), marked: v.env.Marks[r.markable()]}
	return columns.Line(func(title string) string { return cells.text(title, columns.Width(title)) })
}

// spaceCells draws the cells of a row.
type spaceCells struct {
	*spaceRow
	styles         *ui.Styles
	whole, largest int64 // The bytes that a whole share and a full bar stand for.
	marked         bool
}

// text draws the cell of a column.
func (r *spaceCells) text(title string, width int) string {
	s := r.styles
	switch title {
	case "name":
		return r.nameCell(width)
	case "rows":
		if r.rows == 0 && r.lever != nil {
			return s.Faint.Render("–")
		}
		return ui.Num(r.rows)
	case "seq":
		return ui.Num(r.message.Seq)
	case "size":
		return ui.Size(r.bytes)
	case "share":
		return s.Muted.Render(ui.Percent(float64(r.bytes) / float64(r.whole)))
	}
	return s.Accent.Render(ui.Bar(width, float64(r.bytes)/float64(r.largest)))
}

func (r *spaceCells) nameCell(width int) string {
	s := r.styles
	if r.markable() != 0 && r.marked {
		return s.Accent.Render(views.MarkSign) + " " + ui.CutMiddle(ui.Line(r.name), max(1, width-2))
	}
	name := ui.CutMiddle(ui.Line(r.name), width)
	switch {
	case r.message != nil:
		role := s.Muted.Render(ui.Pad(ui.Line(r.message.Role), 10))
		return role + ui.LineN(r.message.Opening, max(1, width-10))
	case r.none:
		return s.Muted.Render(name)
	case r.group != nil && r.group.Archived:
		return ui.CutMiddle(ui.Line(r.name), max(8, width-9)) + s.Muted.Render(" archived")
	}
	return name
}

// messageRows returns rows of messages.
func messageRows(messages []space.MessageSize) []*spaceRow {
	out := make([]*spaceRow, len(messages))
	for i := range messages {
		m := &messages[i]
		out[i] = &spaceRow{name: m.Opening, rows: 1, bytes: m.Bytes, message: m}
	}
	return out
}

// rowsText says how many rows something has.
func rowsText(n int64) string { return plural.Count(n, "row", "rows") }
