package compare

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/ops/diff"
	"lcm-tui/ops/diff/filepair"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// diffLine is a line of the screen of differences: a conversation, a row of it, an item of its
// context, or a remark below them.
type diffLine struct {
	conversation *diff.Conversation
	row          *filepair.Row
	item         *diff.ItemChange
	remark       string
	key          string
	open         bool // The conversation is unfolded.
}

func (r *diffLine) isConversation() bool { return r.row == nil && r.item == nil && r.remark == "" }

func (r *diffLine) id() string { return r.key }

// ref returns what y copies.
func (r *diffLine) ref() string {
	switch {
	case r.row != nil:
		return diff.RowName(r.row) + " of conversation " + views.Itoa(r.conversation.ID)
	case r.item != nil:
		return r.item.Ref + " of conversation " + views.Itoa(r.conversation.ID)
	}
	return "conversation " + views.Itoa(r.conversation.ID) + r.remark
}

// text returns what the filter searches.
func (r *diffLine) text() string {
	out := []string{r.conversation.Name(), "#" + views.Itoa(r.conversation.ID), string(r.conversation.Status), r.remark}
	if r.row != nil {
		out = append(out, r.row.Table, diff.RowName(r.row), string(r.row.Change), string(r.row.Mark), diff.RowText(r.row))
	}
	if r.item != nil {
		out = append(out, "context", r.item.Change, r.item.Ref)
	}
	return strings.Join(out, " ")
}

// set makes the lines from the report and what is unfolded. The cursor stays on its line.
func (v *Diff) set() {
	var lines []*diffLine
	for _, c := range v.report.Conversations {
		key := views.Itoa(c.ID) + string(c.Status)
		head := &diffLine{conversation: c, key: key, open: v.open[c.ID]}
		lines = append(lines, head)
		if head.open {
			lines = append(lines, linesOf(c, key, v.details[c.ID])...)
		}
	}
	v.List.SetItems(lines)
}

// linesOf returns the lines of an unfolded conversation.
func linesOf(c *diff.Conversation, key string, d *diff.Details) (out []*diffLine) {
	if d == nil {
		return []*diffLine{{conversation: c, key: key + " reading", remark: "reading its rows"}}
	}
	for i, r := range d.Rows {
		out = append(out, &diffLine{conversation: c, row: r, key: fmt.Sprint(key, " ", r.Table, " ", i)})
	}
	for i := range d.Items {
		out = append(out, &diffLine{conversation: c, item: &d.Items[i], key: fmt.Sprint(key, " context ", i)})
	}
	for _, m := range d.More {
		out = append(out, &diffLine{conversation: c, key: key + " more " + m.Name, remark: "and more of " + m.Name + ": " + diff.CountsText(m.Counts)})
	}
	if d.MoreItems > 0 {
		out = append(out, &diffLine{conversation: c, key: key + " more", remark: "and " + views.Itoa(int64(d.MoreItems)) + " more items of the context"})
	}
	return out
}

// enter unfolds a conversation, and reads what differs in a row.
func (v *Diff) enter(r *diffLine) tea.Cmd {
	if r.isConversation() {
		return v.fold(r, !r.open)
	}
	return v.Focus(true)
}

// fold folds or unfolds the conversation of a line.
func (v *Diff) fold(r *diffLine, open bool) tea.Cmd {
	c := r.conversation
	v.open[c.ID] = open
	v.set()
	v.List.Select(views.Itoa(c.ID) + string(c.Status))
	if open && v.details[c.ID] == nil {
		return v.unfold(c)
	}
	return nil
}

func (v *Diff) columns(width int) views.Columns {
	return views.Lay([]views.Column{
		{Title: "conversation"},
		{Title: "status", Width: 15},
		{Title: "messages", Width: 11, From: 56},
		{Title: "summaries", Width: 11, From: 70},
		{Title: "context", Width: 14, From: 86},
	}, width)
}

// row draws one line.
func (v *Diff) row(r *diffLine, width int, _ bool) string {
	s := v.env.Styles
	switch {
	case r.remark != "":
		return ui.Cut("    "+s.Muted.Render(ui.Line(r.remark)), width)
	case r.row != nil:
		mark := views.TextWhen(r.row.Mark != "", " "+s.Accent.Render(string(r.row.Mark)))
		return ui.Cut("    "+v.sign(string(r.row.Change))+" "+ui.Line(diff.RowName(r.row))+mark+"  "+s.Muted.Render(ui.LineN(rowRemark(r.row), width)), width)
	case r.item != nil:
		return ui.Cut("    "+v.sign(r.item.Change)+" "+ui.Line(itemLine(r.item)), width)
	}
	c := r.conversation
	return v.columns(width).Line(func(title string) string {
		switch title {
		case "status":
			return v.status(c.Status)
		case "messages":
			return signedCounts(c.Messages)
		case "summaries":
			return signedCounts(c.Summaries)
		case "context":
			return c.Context.String()
		}
		sign := "▸"
		if r.open {
			sign = "▾"
		}
		return s.Muted.Render(sign) + " #" + views.Itoa(c.ID) + " " + ui.Line(c.Name())
	})
}

// signedCounts returns how many rows differ, without what was done to them.
func signedCounts(c filepair.Counts) string {
	return diff.CountsText(filepair.Counts{Added: c.Added, Removed: c.Removed, Changed: c.Changed})
}

// rowRemark says what differs in a changed row, or how another begins.
func rowRemark(r *filepair.Row) string {
	if r.Change == filepair.Changed {
		return strings.Join(r.Columns, ", ")
	}
	return diff.RowText(r)
}

// itemLine returns an item of a context with its ordinals.
func itemLine(i *diff.ItemChange) string {
	name := i.Type + " " + views.ShortID(i.Ref, views.IDWidth)
	switch {
	case i.Before == nil:
		return "context " + views.Itoa(*i.After) + "  " + name
	case i.After == nil:
		return "context " + views.Itoa(*i.Before) + "  " + name
	case *i.Before == *i.After:
		return "context " + views.Itoa(*i.Before) + "  " + name
	}
	run := ""
	if i.Run > 1 {
		run = " and " + views.Itoa(int64(i.Run-1)) + " after it"
	}
	return "context " + views.Itoa(*i.Before) + " → " + views.Itoa(*i.After) + "  " + name + run
}

// sign stands before what differs, in its colour.
func (v *Diff) sign(change string) string {
	s := v.env.Styles
	switch change {
	case string(filepair.Added):
		return s.Added.Render("+")
	case string(filepair.Removed):
		return s.Removed.Render("−")
	case string(filepair.Changed):
		return s.Accent.Render("~")
	}
	return s.Muted.Render("↕")
}

// status returns what became of a conversation, in its colour.
func (v *Diff) status(status diff.Status) string {
	switch status {
	case diff.Added, diff.Unarchived:
		return v.env.Styles.Added.Render(string(status))
	case diff.Removed, diff.Archived:
		return v.env.Styles.Removed.Render(string(status))
	}
	return string(status)
}
