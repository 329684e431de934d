package conversation

import (
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"lcm-tui/data"
	"lcm-tui/engine/summarize"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// The widths of the columns at the right of a row. A row shows as many of them as leave its text the least width.
const (
	tokensWidth    = 7
	sourcesWidth   = 9
	rangeWidth     = 13
	longRangeWidth = 18
	longRangeFrom  = 96 // The width of a row from which its time range has the times of the day.
	leastText      = 18
	wideText       = 30 // The width of the text from which the id is longer.

	stemSigns  = 8 // Cells of a row's left part beside indent and id.
	shortestID = 9

	outsideOfAll = "not in the context, nor under anything in it"
)

// treeColumns is the widths of the columns at the right of a row, beside its tokens; 0 is a column that has no room.
type treeColumns struct{ timeRange, sources int }

// columnsIn returns the columns of rows of a width.
func columnsIn(width int) (c treeColumns) {
	left := width - 1 - tokensWidth - stemSigns - shortestID - 2 - leastText // A row of the second level, for alignment.
	if left >= sourcesWidth+1 {
		c.sources = sourcesWidth
		left -= sourcesWidth + 1
	}
	switch {
	case width >= longRangeFrom:
		c.timeRange = longRangeWidth
	case left >= rangeWidth+1:
		c.timeRange = rangeWidth
	}
	return c
}

// render draws one row of the tree.
func (v *Summaries) render(b *branch, width int, _ bool) string {
	if v.filtered {
		return v.renderFound(b, width)
	}
	if b.node == nil || b.cycle {
		return v.renderBroken(b, width)
	}
	right := v.columns(b, width)
	room := width - lipgloss.Width(right)
	stem := v.treePart(b, room)
	if gap := room - lipgloss.Width(stem) - 2; gap >= 4 {
		above := ""
		if n := len(b.node.Derived); n > 1 && columnsIn(width).timeRange == 0 {
			above = v.Env().Styles.Accent.Render("×"+views.Itoa(int64(n))) + " "
		}
		stem += " " + above + v.opening(b, gap-lipgloss.Width(above))
	}
	return ui.Pad(ui.Cut(stem, room), room) + right
}

// opening returns the start of a summary in width cells, or where a search led to it what is around the first match.
func (v *Summaries) opening(b *branch, width int) string {
	faint := v.Env().Styles.Faint
	text := views.WithoutHeading(b.node.Content)
	marked := views.Excerpt(text, width, v.Hub.Marks)
	if p := v.Details[b.id].Detail; v.Hub.Marks != nil && p != nil && !views.IsMarked(marked) {
		marked = views.Excerpt(views.WithoutHeading(p.text), width, v.Hub.Marks)
	}
	return faint.Render(marked)
}

// columns returns the right part of a row: tokens, time range, number of sources.
func (g *summaryGraph) columns(b *branch, width int) string {
	s, n, c := g.env.Styles, b.node, columnsIn(width)
	right := " " + ui.PadLeft(ui.Tokens(n.Tokens), tokensWidth)
	made, mark := s.Muted.Render(g.sourceCount(n)), s.Bad.Render(markerName(g.marks[b.id]))
	if c.timeRange > 0 {
		middle := s.Muted.Render(shortRange(n.EarliestAt, n.LatestAt, c.timeRange, g.env.Now().Location()))
		if also := g.alsoUnder(b, c.timeRange-len("also ")); also != "" {
			middle = s.Accent.Render("also " + also)
		}
		if g.marks[b.id] != summarize.None {
			middle = mark
		}
		right += " " + ui.Pad(middle, c.timeRange)
	} else if g.marks[b.id] != summarize.None {
		made = mark
	}
	if c.sources > 0 {
		right += " " + ui.PadLeft(made, c.sources)
	}
	return right
}

// treePart returns the left part of a row: where it stands in the tree, and what it is.
func (g *summaryGraph) treePart(b *branch, room int) string {
	s := g.env.Styles
	indent := max(0, min(2*b.level, room-stemSigns-shortestID))
	sign := "  "
	switch {
	case b.open:
		sign = "▾ "
	case b.hasSources():
		sign = "▸ "
	}
	mark := " "
	if span, _ := g.extent(b.id); g.marks[b.id] != summarize.None || span.Missing > 0 {
		mark = s.Bad.Render("!")
	}
	label := depthLabel(s, b.node.Depth)
	idWidth := shortestID
	if room-stemSigns-views.IDWidth-4 >= wideText {
		idWidth = views.IDWidth
	}
	id := views.ShortID(b.id, idWidth)
	return strings.Repeat(" ", indent) + sign + mark + label + " " + id + " " + contextSign(s, b.node.InContext())
}

// renderBroken draws a row that the tree can't go on from.
func (g *summaryGraph) renderBroken(b *branch, width int) string {
	s := g.env.Styles
	indent := max(0, min(2*b.level, width-2*views.IDWidth-stemSigns))
	what, why := "missing", "a link names it, but its row is gone"
	if b.cycle {
		what, why = "goes round", "it is made of itself"
	}
	text := strings.Repeat(" ", indent) + "  ! " + what + " " + views.ShortID(b.id, views.IDWidth)
	if width-lipgloss.Width(text) > 20 {
		text += "  " + why
	}
	return s.Bad.Render(ui.Cut(text, width))
}

// renderFound draws a row while a filter is on: there is no tree then, but the
// text around what was found.
func (v *Summaries) renderFound(b *branch, width int) string {
	if b.node == nil || b.cycle {
		return v.renderBroken(&branch{id: b.id, cycle: b.cycle}, width)
	}
	s := v.Env().Styles
	head := depthLabel(s, b.node.Depth) + " " + ui.Pad(views.ShortID(b.id, views.IDWidth), views.IDWidth) + " " + contextSign(s, b.node.InContext()) + " " +
		ui.PadLeft(ui.Tokens(b.node.Tokens), tokensWidth) + "  "
	mark := " "
	if m := v.marks[b.id]; m != summarize.None {
		mark = s.Bad.Render("!")
	}
	return ui.Cut(mark+head+s.Muted.Render(views.Excerpt(views.WithoutHeading(b.node.Content), width-lipgloss.Width(head)-1, views.FindText(v.List.Filter()))), width)
}

// alsoUnder names another node under which the one of b stands, in at most width
// cells, and says how many more there are; it is empty if there is none.
func (g *summaryGraph) alsoUnder(b *branch, width int) string {
	above, other, more := g.tree.steps[b.above].id, "", int64(0)
	for _, id := range b.node.Derived {
		switch {
		case id == above:
		case other == "":
			other = id
		default:
			more++
		}
	}
	if other == "" {
		return ""
	}
	if more > 0 {
		tail := " +" + ui.Num(more)
		return views.ShortID(other, max(3, width-len(tail))) + tail
	}
	return views.ShortID(other, width)
}

// shortRange returns a time range in at most width cells.
func shortRange(from, to data.Time, width int, zone *time.Location) string {
	if !from.Valid() || !to.Valid() {
		return ""
	}
	a, z := from.In(zone), to.In(zone)
	day := "Jan 2"
	switch {
	case a.Format(time.DateOnly) != z.Format(time.DateOnly):
		return a.Format(day) + "–" + z.Format(day)
	case a.Format("15:04") == z.Format("15:04") || width < longRangeWidth:
		return a.Format(day + " 15:04")
	}
	return a.Format(day+" 15:04") + z.Format("–15:04")
}

// depthLabel returns the word for a depth in its colour.
func depthLabel(s *ui.Styles, depth int64) string {
	return s.Depth(int(min(depth, 9))).Render("d" + views.Itoa(depth))
}

// contextSign says whether something stands in the context.
func contextSign(s *ui.Styles, in bool) string {
	if in {
		return s.Good.Render("●")
	}
	return s.Faint.Render("○")
}

func markerName(m summarize.Marker) string {
	switch m {
	case summarize.Truncated:
		return "truncated"
	case summarize.Old:
		return "old mark"
	}
	return string(m)
}

// Legend implements ui.Legender.
func (v *Summaries) Legend() []ui.Sign {
	s := v.Env().Styles
	return append([]ui.Sign{
		{Mark: "▸ ▾", Meaning: "folded, unfolded: what a summary was made of stands below it"},
		{Mark: s.Good.Render("●"), Meaning: "in the context"},
		{Mark: s.Faint.Render("○"), Meaning: "not in the context"},
		{Mark: s.Accent.Render("×2"), Meaning: "it stands under two summaries"},
		{Mark: "↓", Meaning: "how many summaries it was made of"},
		{Mark: s.Bad.Render("!"), Meaning: "damaged, or sources are missing"},
		{Mark: "█ ▒", Meaning: "in the picture: in the context, folded into the summary above"},
		{Mark: s.Bad.Render("!"), Meaning: "in the picture: messages that nothing covers"},
	}, v.Env().DepthSigns()...)
}
