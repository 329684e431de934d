package views

import "lcm-tui/ui"

func (c *Conversations) columns(width int) layout {
	return lay([]column{
		{title: " ", width: 1},
		{title: "conversation"},
		{title: "messages", width: 8, right: true},
		{title: "d0", width: 5, right: true, from: 90},
		{title: "d1", width: 4, right: true, from: 90},
		{title: "d2", width: 4, right: true, from: 90},
		{title: "d3+", width: 3, right: true, from: 110},
		{title: "summaries", width: 9, right: true, from: 60},
		{title: "context", width: 10, right: true},
		{title: "", width: 12, from: 100},
		{title: "%", width: 4, right: true},
		{title: "health", width: 6, right: true},
		{title: "last", width: 7, right: true},
	}, width).without(width >= 90, "summaries")
}

// without leaves out a column on a condition.
func (l layout) without(leave bool, title string) layout {
	var out layout
	spare := 0
	for _, c := range l {
		if leave && c.title == title {
			spare = c.width + 1
			continue
		}
		out = append(out, c)
	}
	for i := range out {
		if out[i].title == "conversation" {
			out[i].width += spare
		}
	}
	return out
}

// render draws one conversation. Numbers that aren't known yet are dots.
func (c *Conversations) render(r *conversationRow, width int, _ bool) string {
	return c.columns(width).line(func(title string) string { return c.cell(r, title) })
}

func (c *Conversations) cell(r *conversationRow, title string) string {
	s := c.env.Styles
	switch title {
	case " ":
		if r.Active {
			return s.Good.Render("●")
		}
		return s.Muted.Render("▪")
	case "conversation":
		return c.name(r)
	case "last":
		return s.Muted.Render(ago(r.last, c.env.Now()))
	}
	if r.counts == nil {
		return s.Faint.Render("·")
	}
	return c.number(r, title)
}

func (c *Conversations) name(r *conversationRow) string {
	s := c.env.Styles
	name := ui.Line(r.Name())
	if r.Title != "" && r.SessionKey != "" {
		name += s.Muted.Render("  " + ui.Line(r.SessionKey))
	}
	if !r.Active {
		name += s.Muted.Render("  archived")
	}
	return name
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
		return c.deeper(r)
	case "summaries":
		return ui.Num(n.SummaryCount())
	case "health":
		return c.env.healthMark(r.ID)
	}
	return c.fill(r, title)
}

func (c *Conversations) deeper(r *conversationRow) string {
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

// fill is how full the context is of its budget.
func (c *Conversations) fill(r *conversationRow, title string) string {
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
