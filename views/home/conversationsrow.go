package home

import (
	"math"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/engine/pending"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// columns returns what fits a width; what is named first in it stays longest.
func (c *Conversations) columns(width int) views.Columns {
	return views.Lay([]views.Column{
		{Title: "id", Width: c.idWidth, Right: true},
		{Title: " ", Width: 1},
		{Title: "conversation"},
		{Title: "messages", Width: 8, Right: true, From: 56 + c.pendingWidth()},
		{Title: "d0", Width: 5, Right: true, From: 112},
		{Title: "d1", Width: 4, Right: true, From: 112},
		{Title: "d2", Width: 4, Right: true, From: 112},
		{Title: "d3+", Width: 3, Right: true, From: 112},
		{Title: "summaries", Width: 9, Right: true, From: 92},
		{Title: "context", Width: 9, Right: true, From: 72 + c.pendingWidth()},
		{Title: "", Width: 12, From: 128},
		{Title: "budget", Width: 6, Right: true, From: 44},
		{Title: "pending", Width: pendingWidth, From: c.pendingFrom()},
		{Title: "health", Width: 12, From: 34},
		{Title: "last", Width: 7, Right: true, From: 64},
	}, width).Without(width >= 112, "summaries")
}

// pendingFrom returns the width from which the list has a column of what the host prepares. Where it
// prepares nothing there is none.
func (c *Conversations) pendingFrom() int {
	if len(c.pending) == 0 {
		return math.MaxInt
	}
	return 50
}

const pendingWidth = 11

// pendingWidth returns the cells that the column of what the host prepares takes, its gap included.
func (c *Conversations) pendingWidth() int {
	if len(c.pending) == 0 {
		return 0
	}
	return pendingWidth + 1
}

// render draws one conversation. A dot stands for a number that isn't counted yet.
func (c *Conversations) render(r *conversationRow, width int, _ bool) string {
	columns := c.columns(width)
	stuck := r.pending == pending.Stuck && columns.Width("pending") == 0
	return columns.Line(func(title string) string {
		if title == "conversation" && stuck {
			return c.text.name(r, columns.Width(title), " stuck")
		}
		return c.text.cell(r, title, columns.Width(title))
	})
}

// rowText says in words and numbers what is known of a conversation.
type rowText struct{ env *views.Env }

func (t *rowText) cell(r *conversationRow, title string, width int) string {
	s := t.env.Styles
	switch title {
	case "id":
		return s.Muted.Render(views.Itoa(r.ID))
	case " ":
		if r.Active {
			return s.Good.Render("●")
		}
		return s.Muted.Render("▪")
	case "conversation":
		return t.name(r, width, archivedEnd(r, width))
	case "health":
		return t.healthText(r)
	case "pending":
		return views.StateText(s, r.pending)
	case "last":
		return s.Muted.Render(views.Ago(r.last, t.env.Now()))
	}
	if r.counts == nil {
		return s.Faint.Render("·")
	}
	return t.number(r, title)
}

// name returns what the conversation is called, in width cells: the end, which says that it is
// archived or stuck, is never cut off.
func (t *rowText) name(r *conversationRow, width int, end string) string {
	s := t.env.Styles
	name := ui.Line(r.name())
	if t.env.Marks[r.ID] {
		name = s.Accent.Render(views.MarkSign) + " " + name
	}
	room := max(1, width-ansi.StringWidth(end))
	switch {
	case r.Title != "" && r.SessionKey != "":
		name += s.Muted.Render("  " + ui.Line(r.SessionKey))
	case r.Title == "" && r.SessionKey == "" && r.counts != nil && r.counts.Opening != "":
		name += s.Muted.Render("  " + views.ShortID(r.SessionID, views.IDWidth))
	}
	return ui.Cut(name, room) + s.Muted.Render(end)
}

// archivedEnd says that a conversation is archived, and in a wide column why, and how many others are
// of its session.
func archivedEnd(r *conversationRow, width int) string {
	end := ""
	if !r.Active {
		end = " archived"
	}
	if width < wideName {
		return end
	}
	if !r.Active && r.ArchiveCause != "" {
		end = " " + ui.LineN(archivedText(r.Conversation), wideName-12)
	}
	if r.family > 1 {
		end += views.TextWhen(end != "", " ·") + " " + ui.Num(int64(r.family)) + " of its session"
	}
	return end
}

// wideName is from how many cells on the column of the name has room for more than the name.
const wideName = 64

// healthText says what is known of a conversation's health, in words.
func (t *rowText) healthText(r *conversationRow) string {
	s := t.env.Styles
	n, known := t.env.Health(r.ID)
	switch damage := n.Fatal + n.Error; {
	case !known:
		return ""
	case damage > 0:
		return s.Bad.Render("! " + plural.Count(damage, "error", "errors"))
	case n.Warn > 0:
		return s.Warn.Render("~ " + plural.Count(n.Warn, "warning", "warnings"))
	}
	return s.Muted.Render("  ok")
}

func (t *rowText) number(r *conversationRow, title string) string {
	s, n := t.env.Styles, r.counts
	depth := func(d int) string {
		if n.Summaries[d] == 0 {
			return ""
		}
		return s.Depth(d).Render(ui.Num(n.Summaries[d]))
	}
	switch title {
	case "messages":
		return ui.Num(n.Messages)
	case "d0":
		return depth(0)
	case "d1":
		return depth(1)
	case "d2":
		return depth(2)
	case "d3+":
		return deepCount(s, r)
	case "summaries":
		return ui.Num(n.SummaryCount())
	}
	return t.fullness(r, title)
}

func deepCount(s *ui.Styles, r *conversationRow) string {
	var n int64
	for d, k := range r.counts.Summaries {
		if d >= 3 {
			n += k
		}
	}
	if n == 0 {
		return ""
	}
	return s.Depth(3).Render(ui.Num(n))
}

// fullness returns how full the context is of its budget.
func (t *rowText) fullness(r *conversationRow, title string) string {
	s, n := t.env.Styles, r.counts
	if n.ContextItems == 0 {
		if title == "context" {
			return s.Muted.Render("–")
		}
		return ""
	}
	share := float64(n.ContextTokens) / float64(r.budget)
	style := s.Good
	switch {
	case share > 1:
		style = s.Bad
	case share > views.CompactAbove:
		style = s.Warn
	}
	switch title {
	case "context":
		return ui.Tokens(n.ContextTokens)
	case "":
		return style.Render(ui.Bar(12, min(1, share)))
	}
	return style.Render(ui.Percent(share))
}

// Legend implements ui.Legender.
func (c *Conversations) Legend() []ui.Sign {
	s := c.env.Styles
	return append([]ui.Sign{
		{Mark: s.Good.Render("●"), Meaning: "active"},
		{Mark: s.Muted.Render("▪"), Meaning: "archived"},
		{Mark: s.Bad.Render("!"), Meaning: "errors: something is damaged"},
		{Mark: s.Warn.Render("~"), Meaning: "warnings"},
		{Mark: s.Faint.Render("·"), Meaning: "not known yet"},
	}, c.env.DepthSigns()...)
}
