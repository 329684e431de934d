package review

import (
	"fmt"
	"slices"
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
	if len(v.proposal.plan.Contexts) == 0 {
		return v.styles.Muted.Render(v.noContexts())
	}
	var b strings.Builder
	for _, c := range v.proposal.plan.Contexts {
		if len(v.proposal.plan.Contexts) > 1 {
			b.WriteString(v.styles.Title.Render(v.proposal.env.Label(c.Conversation)) + "\n")
		}
		b.WriteString(v.heading(width))
		rows := contextRows(c.Align())
		if v.sides(width) {
			rows = rowsBeside(c.Align(), v.proposal.plan.Estimate())
		}
		v.writeRows(&b, rows, width)
	}
	return b.String()
}

// noContexts says why there is no context on the page.
func (v *contextPage) noContexts() string {
	if v.proposal.runnable() {
		return "no text is made yet: what it means for the context is known then. ctrl+x asks the model"
	}
	return "the plan compares no contexts: what it changes stands on the third page"
}

// writeRows writes a context before and after. What is the same far from a change is folded.
func (v *contextPage) writeRows(b *strings.Builder, rows []contextRow, width int) {
	show := nearChanges(len(rows), func(i int) bool { return !rows[i].same })
	fold := func(n int, words string) {
		if n > 0 {
			b.WriteString(v.styles.Faint.Render(fmt.Sprintf("   ⋯ %s %s", plural.Count(n, "item", "items"), words)) + "\n")
		}
	}
	skipped := 0
	for i, r := range rows {
		if !show[i] {
			skipped++
			continue
		}
		fold(skipped, "the same")
		skipped = 0
		b.WriteString(v.rowLine(r, width) + "\n")
		fold(r.folded, "more that go; v shows each")
	}
	fold(skipped, "the same")
}

// sides reports whether both contexts stand beside each other.
func (v *contextPage) sides(width int) bool { return *v.view != viewUnified && width >= twoColumns }

// contextRow is a row of the page: an item that stays, or one that goes beside one that comes, of which one may be nil.
type contextRow struct {
	before, after *lcm.ContextItem
	same          bool
	folded        int // How many that go are left out behind it.
}

// The rows of an estimate that stay of a long stretch of items that go: what comes in their place is beside the first.
const (
	firstOfStretch = 10
	lastOfStretch  = 2
)

// contextRows returns the rows of aligned contexts, as they are below each other.
func contextRows(pairs []ops.Pair) []contextRow {
	out := make([]contextRow, len(pairs))
	for i, p := range pairs {
		out[i] = contextRow{before: p.Before, after: p.After, same: p.Mark() == ops.Same}
	}
	return out
}

// rowsBeside returns the rows of aligned contexts where what comes stands beside what goes. fold leaves out the middle of
// a long stretch.
func rowsBeside(pairs []ops.Pair, fold bool) (out []contextRow) {
	var going, coming []*lcm.ContextItem
	end := func() {
		n := max(len(going), len(coming))
		for i := range n {
			var r contextRow
			if i < len(going) {
				r.before = going[i]
			}
			if i < len(coming) {
				r.after = coming[i]
			}
			out = append(out, r)
		}
		first := max(firstOfStretch, len(coming))
		if hidden := n - first - lastOfStretch; fold && hidden > 1 {
			at := len(out) - n + first
			out = slices.Delete(out, at, at+hidden)
			out[at-1].folded = hidden
		}
		going, coming = nil, nil
	}
	for _, p := range pairs {
		switch p.Mark() {
		case ops.Removed:
			going = append(going, p.Before)
		case ops.Added:
			coming = append(coming, p.After)
		default:
			end()
			out = append(out, contextRow{before: p.Before, after: p.After, same: true})
		}
	}
	end()
	return out
}

// heading names the two columns of contexts.
func (v *contextPage) heading(width int) string {
	s := v.styles
	if !v.sides(width) {
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

// rowLine returns one row in a line.
func (v *contextPage) rowLine(r contextRow, width int) string {
	s := v.styles
	if !v.sides(width) {
		switch {
		case r.after == nil:
			return s.Removed.Render(views.SignRemoved) + v.itemLine(*r.before, width-2)
		case r.before == nil:
			return s.Added.Render(views.SignAdded) + v.itemLine(*r.after, width-2)
		}
		return "  " + v.itemLine(*r.after, width-2)
	}
	half := (width - 3) / 2
	left, right := "", ""
	if r.before != nil {
		left = views.FirstNonEmpty(views.TextWhen(r.same, "  "), s.Removed.Render("− ")) + v.itemLine(*r.before, half-2)
	}
	if r.after != nil {
		right = views.FirstNonEmpty(views.TextWhen(r.same, "  "), s.Added.Render("+ ")) + v.itemLine(*r.after, half-2)
	}
	return ui.Pad(left, half) + s.Faint.Render(" │ ") + right
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
