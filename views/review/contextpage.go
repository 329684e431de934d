package review

import (
	"fmt"
	"strings"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// contextPage shows contexts before and after.
type contextPage struct {
	*scrollPage
	proposal *proposal
	styles   *ui.Styles
	view     *reviewView
}

func newContextPage(pr *proposal, view *reviewView) *contextPage {
	v := &contextPage{proposal: pr, styles: pr.env.Styles, view: view}
	v.scrollPage = newScrollPage(v.styles, v.text)
	return v
}

// keptAround is how many equal rows stay on each side of a change.
const keptAround = 3

// text returns the contexts before and after, equal stretches folded.
func (v *contextPage) text(width int) string {
	var b strings.Builder
	for _, c := range v.proposal.plan.Contexts {
		if len(v.proposal.plan.Contexts) > 1 {
			fmt.Fprintf(&b, "conversation %d\n", c.Conversation)
		}
		b.WriteString(v.heading(width))
		pairs := c.Align()
		show := nearChanges(len(pairs), func(i int) bool { return pairs[i].Mark() != ops.Same })
		skipped := 0
		fold := func() {
			if skipped > 0 {
				b.WriteString(v.styles.Faint.Render(fmt.Sprintf("   ⋯ %s the same", plural.Count(skipped, "item", "items"))) + "\n")
			}
			skipped = 0
		}
		for i, p := range pairs {
			if !show[i] {
				skipped++
				continue
			}
			fold()
			b.WriteString(v.pairLine(p, width) + "\n")
		}
		fold()
	}
	return b.String()
}

// heading names the two columns of contexts.
func (v *contextPage) heading(width int) string {
	s := v.styles
	if *v.view == viewUnified || width < twoColumns {
		return s.Removed.Render(views.SignRemoved) + s.Muted.Render("before") + "   " + s.Added.Render(views.SignAdded) + s.Muted.Render("after") + "\n"
	}
	half := (width - 3) / 2
	return s.Muted.Render(ui.Pad("  before", half)) + s.Faint.Render(" │ ") + s.Muted.Render("  after") + "\n"
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

func (v *contextPage) pairLine(p ops.Pair, width int) string {
	s := v.styles
	if *v.view == viewUnified || width < twoColumns {
		switch p.Mark() {
		case ops.Removed:
			return s.Removed.Render(views.SignRemoved) + v.itemLine(*p.Before, width-2)
		case ops.Added:
			return s.Added.Render(views.SignAdded) + v.itemLine(*p.After, width-2)
		}
		return "  " + v.itemLine(*p.After, width-2)
	}
	half := (width - 3) / 2
	left, right := "", ""
	if p.Before != nil {
		left = v.itemLine(*p.Before, half-2)
	}
	if p.After != nil {
		right = v.itemLine(*p.After, half-2)
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
func (v *contextPage) itemLine(it lcm.ContextItem, width int) string {
	return ui.Cut(ui.PadLeft(views.Itoa(it.Ordinal), 5)+" "+itemLabel(v.styles, it)+" "+views.ItemPreview(&it, width), width)
}

// itemLabel returns what an item is, with its tokens.
func itemLabel(s *ui.Styles, it lcm.ContextItem) string {
	if it.IsSummary() {
		return s.Depth(int(it.Depth)).Render("d"+views.Itoa(it.Depth)) + " " + ui.Pad(ui.CutMiddle(ui.Line(it.Summary), 13), 13) +
			" " + ui.PadLeft(ui.Tokens(it.Tokens), 7)
	}
	return s.Role(it.Role).Render(ui.Pad(it.Role, 9)) + " " + ui.Pad("#"+views.Itoa(it.Seq), 6) + " " + ui.PadLeft(ui.Tokens(it.Tokens), 7)
}
