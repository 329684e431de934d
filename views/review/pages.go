package review

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// View implements ui.Screen.
func (r *Review) View(width, height int) string {
	s := r.env.Styles
	top := []string{
		r.titleLine(width),
		" " + r.outcome(),
		" " + r.impact(width),
		r.tabs().View(s, width),
	}
	height, r.width = max(1, height-len(top)), width
	body := ""
	if r.onFindings() {
		body = r.findingsPage(width, height)
	} else {
		body = r.withTextList(width, height, r.body)
	}
	for i := range top {
		top[i] = ui.Cut(top[i], width)
	}
	return strings.Join(top, "\n") + "\n" + body
}

// titleLine returns the plan's title, and before a model is asked which one it is and whether
// its key is there.
func (r *Review) titleLine(width int) string {
	title := " " + r.env.Styles.Title.Render(ui.Line(r.plan.Title))
	room := width - lipgloss.Width(title) - 4
	if room < 20 || r.env.Models == nil || !r.runnable() && r.question == nil {
		return title
	}
	model := r.env.ModelLine(room)
	return title + strings.Repeat(" ", room-lipgloss.Width(model)+3) + model
}

// body returns the page in as much room. What it's about stands above what scrolls.
func (r *Review) body(width, height int) string {
	if r.drawn[r.page] != width {
		r.drawn[r.page] = width
		r.pager().SetText(r.text(width - 1))
	}
	head := r.textHead()
	if head != "" {
		head, height = ui.Cut(head, width)+"\n"+ui.Cut(r.heading, width)+"\n", max(1, height-2)
	}
	if r.toEnd && r.page == pageText {
		r.toEnd = false
		_ = r.pager().View(width, height) // Which wraps it.
		r.pager().Scroll(r.pager().Len())
	}
	return head + r.pager().View(width, height)
}

func (r *Review) tabs() ui.Tabs {
	notes := "Notes"
	if n := len(r.plan.Warnings); n > 0 {
		notes += fmt.Sprintf(" ~%d", n)
	}
	names := []string{"Context", r.textTab(), "Rows " + ui.Num(r.rowCount()), notes}
	if n := len(r.plan.Items); n > 0 {
		names = append(names, fmt.Sprintf("Findings %d", n))
	}
	return ui.Tabs{Names: names, Active: r.page}
}

// rowCount returns how many rows change.
func (r *Review) rowCount() int64 {
	if r.plan.Set != nil {
		return r.plan.Set.Total()
	}
	return int64(len(r.plan.Changes))
}

// textTab returns the name of the page of texts. Of an estimate nobody knows how many there
// will be.
func (r *Review) textTab() string {
	if r.plan.Estimate() {
		return "Text"
	}
	return fmt.Sprintf("Text %d", len(r.plan.Texts))
}

func (r *Review) text(width int) string {
	switch r.page {
	case pageContext:
		return r.contextText(width)
	case pageText:
		return r.textPage(width)
	case pageRows:
		if r.plan.Set != nil {
			return r.setText(width)
		}
		return rowLines(r.env.Styles, r.plan.Changes)
	}
	return r.noteText()
}

// keptAround is how many equal rows stay on each side of a change.
const keptAround = 3

// contextText returns the contexts before and after, equal stretches folded.
func (r *Review) contextText(width int) string {
	var b strings.Builder
	for _, c := range r.plan.Contexts {
		if len(r.plan.Contexts) > 1 {
			fmt.Fprintf(&b, "conversation %d\n", c.Conversation)
		}
		b.WriteString(r.contextHeading(width))
		pairs := c.Align()
		show := nearChanges(len(pairs), func(i int) bool { return pairs[i].Mark() != ops.Same })
		skipped := 0
		fold := func() {
			if skipped > 0 {
				b.WriteString(r.env.Styles.Faint.Render(fmt.Sprintf("   ⋯ %s the same", plural.Count(skipped, "item", "items"))) + "\n")
			}
			skipped = 0
		}
		for i, p := range pairs {
			if !show[i] {
				skipped++
				continue
			}
			fold()
			b.WriteString(r.pairLine(p, width) + "\n")
		}
		fold()
	}
	return b.String()
}

// nearChanges reports, for each of n places, whether it is changed or close to one that is.
func nearChanges(n int, changed func(int) bool) []bool {
	show := make([]bool, n)
	for i := range n {
		if changed(i) {
			for j := max(0, i-keptAround); j < min(n, i+keptAround+1); j++ {
				show[j] = true
			}
		}
	}
	return show
}

func (r *Review) pairLine(p ops.Pair, width int) string {
	s := r.env.Styles
	if r.pageView() == viewUnified || width < twoColumns {
		switch p.Mark() {
		case ops.Removed:
			return s.Removed.Render(views.SignRemoved) + r.itemLine(*p.Before, width-2)
		case ops.Added:
			return s.Added.Render(views.SignAdded) + r.itemLine(*p.After, width-2)
		}
		return "  " + r.itemLine(*p.After, width-2)
	}
	half := (width - 3) / 2
	left, right := "", ""
	if p.Before != nil {
		left = r.itemLine(*p.Before, half-2)
	}
	if p.After != nil {
		right = r.itemLine(*p.After, half-2)
	}
	lm, rm := "  ", "  "
	switch p.Mark() {
	case ops.Removed:
		lm = s.Removed.Render("− ")
	case ops.Added:
		rm = s.Added.Render("+ ")
	}
	return ui.Pad(lm+left, half) + s.Faint.Render(" │ ") + rm + right
}

// itemLine returns one context item in one line.
func (r *Review) itemLine(it lcm.ContextItem, width int) string {
	return ui.Cut(ui.PadLeft(views.Itoa(it.Ordinal), 5)+" "+itemLabel(r.env.Styles, it)+" "+views.ItemPreview(&it, width), width)
}

// itemLabel returns what an item is, with its tokens.
func itemLabel(s *ui.Styles, it lcm.ContextItem) string {
	if it.IsSummary() {
		return s.Depth(int(it.Depth)).Render("d"+views.Itoa(it.Depth)) + " " + ui.Pad(ui.CutMiddle(ui.Line(it.Summary), 13), 13) +
			" " + ui.PadLeft(ui.Tokens(it.Tokens), 7)
	}
	return s.Role(it.Role).Render(ui.Pad(it.Role, 9)) + " " + ui.Pad("#"+views.Itoa(it.Seq), 6) + " " + ui.PadLeft(ui.Tokens(it.Tokens), 7)
}

// noteText returns the warnings and notes of the plan.
func (r *Review) noteText() string {
	s := r.env.Styles
	var b strings.Builder
	for _, w := range r.plan.Warnings {
		b.WriteString(s.Warn.Render("~ ") + ui.Line(r.plan.ScreenText(w)) + "\n\n")
	}
	for _, n := range r.plan.Notes {
		b.WriteString(s.Muted.Render("· ") + ui.Line(r.plan.ScreenText(n)) + "\n\n")
	}
	if b.Len() == 0 {
		return s.Muted.Render("nothing unusual")
	}
	return b.String()
}
