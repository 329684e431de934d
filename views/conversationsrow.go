package views

import (
	"math"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/engine/pending"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// columns are what fits a width; what is named first in it stays longest.
func (c *Conversations) columns(width int) Columns {
	return Lay([]Column{
		{title: "id", width: c.idWidth, right: true},
		{title: " ", width: 1},
		{title: "conversation"},
		{title: "messages", width: 8, right: true, from: 56},
		{title: "d0", width: 5, right: true, from: 112},
		{title: "d1", width: 4, right: true, from: 112},
		{title: "d2", width: 4, right: true, from: 112},
		{title: "d3+", width: 3, right: true, from: 112},
		{title: "summaries", width: 9, right: true, from: 92},
		{title: "context", width: 9, right: true, from: 72},
		{title: "", width: 12, from: 128},
		{title: "full", width: 4, right: true, from: 40},
		{title: "pending", width: 11, from: c.pendingFrom()},
		{title: "health", width: 12, from: 34},
		{title: "last", width: 7, right: true, from: 64},
	}, width).without(width >= 112, "summaries")
}

// pendingFrom is the width from which the list has a column of what the host prepares. Where it
// prepares nothing there is none.
func (c *Conversations) pendingFrom() int {
	if len(c.pending) == 0 {
		return math.MaxInt
	}
	return 90
}

// render draws one conversation. A dot stands for a number that isn't counted yet.
func (c *Conversations) render(r *conversationRow, width int, _ bool) string {
	columns := c.columns(width)
	stuck := r.pending == pending.Stuck && columns.width("pending") == 0
	return columns.line(func(title string) string {
		if title == "conversation" && stuck {
			return c.name(r, columns.width(title), " stuck")
		}
		return c.cell(r, title, columns.width(title))
	})
}

func (c *Conversations) cell(r *conversationRow, title string, width int) string {
	s := c.env.Styles
	switch title {
	case "id":
		return s.Muted.Render(itoa(r.ID))
	case " ":
		if r.Active {
			return s.Good.Render("●")
		}
		return s.Muted.Render("▪")
	case "conversation":
		return c.name(r, width, c.archivedEnd(r, width))
	case "health":
		return c.healthText(r)
	case "pending":
		return stateText(s, r.pending)
	case "last":
		return s.Muted.Render(ago(r.last, c.env.Now()))
	}
	if r.counts == nil {
		return s.Faint.Render("·")
	}
	return c.number(r, title)
}

// name is what the conversation is called, in width cells: the end, which says that it is
// archived or stuck, is never cut off.
func (c *Conversations) name(r *conversationRow, width int, end string) string {
	s := c.env.Styles
	name := ui.Line(r.name())
	if c.env.marks[r.ID] {
		name = s.Accent.Render(markSign) + " " + name
	}
	room := max(1, width-ansi.StringWidth(end))
	switch {
	case r.Title != "" && r.SessionKey != "":
		name += s.Muted.Render("  " + ui.Line(r.SessionKey))
	case r.Title == "" && r.SessionKey == "" && r.counts != nil && r.counts.opening != "":
		name += s.Muted.Render("  " + shortID(r.SessionID, idInList))
	}
	return ui.Cut(name, room) + s.Muted.Render(end)
}

// archivedEnd says that a conversation is archived, and in a wide column why, and how many others are
// of its session.
func (c *Conversations) archivedEnd(r *conversationRow, width int) string {
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
		end += textWhen(end != "", " ·") + " " + ui.Num(int64(r.family)) + " of its session"
	}
	return end
}

// wideName is from how many cells on the column of the name has room for more than the name.
const wideName = 64

// healthText says what is known of a conversation's health, in words.
func (c *Conversations) healthText(r *conversationRow) string {
	s := c.env.Styles
	n, known := c.env.health(r.ID)
	switch damage := n.Fatal + n.Error; {
	case !known:
		return s.Faint.Render("· unchecked")
	case damage > 0:
		return s.Bad.Render("! " + plural.Count(damage, "error", "errors"))
	case n.Warn > 0:
		return s.Warn.Render("~ " + plural.Count(n.Warn, "warning", "warnings"))
	}
	return s.Muted.Render("  ok")
}

func (c *Conversations) number(r *conversationRow, title string) string {
	s, n := c.env.Styles, r.counts
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
		return c.deepCount(r)
	case "summaries":
		return ui.Num(n.SummaryCount())
	}
	return c.fullness(r, title)
}

func (c *Conversations) deepCount(r *conversationRow) string {
	var n int64
	for d, k := range r.counts.Summaries {
		if d >= 3 {
			n += k
		}
	}
	if n == 0 {
		return ""
	}
	return c.env.Styles.Depth(3).Render(ui.Num(n))
}

// fullness is how full the context is of its budget.
func (c *Conversations) fullness(r *conversationRow, title string) string {
	s, n := c.env.Styles, r.counts
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
	case share > compactAbove:
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
	}, c.env.depthSigns()...)
}
