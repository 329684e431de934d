package views

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data"
	"lcm-tui/ops"
	"lcm-tui/ui"
)

// View implements ui.Screen.
func (r *Review) View(width, height int) string {
	s := r.env.Styles
	top := []string{
		" " + s.Title.Render(ui.Line(r.plan.Title)),
		" " + r.outcome(),
		" " + r.impact(width),
		r.tabs().View(s, width),
	}
	height = max(1, height-len(top))
	body := r.withTextList(width, height, func(width int) string { return r.body(width, height) })
	for i := range top {
		top[i] = ui.Cut(top[i], width)
	}
	return strings.Join(top, "\n") + "\n" + body
}

// body is the page in as much room. What it's about stands above what scrolls.
func (r *Review) body(width, height int) string {
	if r.drawn[r.page] != width {
		r.drawn[r.page] = width
		r.pager().SetText(r.text(width - 1))
	}
	head := r.textHead()
	if head != "" {
		head, height = ui.Fit(ui.Cut(head, width), width, 2)+"\n", max(1, height-2)
	}
	if r.toEnd && r.page == pageText {
		r.toEnd = false
		_ = r.pager().View(width, height) // Which wraps it.
		r.pager().Scroll(r.pager().Len())
	}
	return head + r.pager().View(width, height)
}

// impact is what the plan comes to, in one line.
func (r *Review) impact(width int) string {
	if r.question != nil {
		return r.question.takes
	}
	i := r.plan.Impact
	updated, inserted, deleted := r.plan.Count()
	if r.plan.Estimate() && len(r.plan.Contexts) == 0 {
		return r.callsLine() + fmt.Sprintf("   about %s in, %s out", ui.Tokens(i.InputTokens), ui.Tokens(i.OutputTokens))
	}
	if r.plan.Estimate() {
		return fmt.Sprintf("context items %s → %s   tokens %s → %s (%s)   %s", ui.Num(int64(i.ItemsBefore)), ui.Num(int64(i.ItemsAfter)),
			ui.Num(i.TokensBefore), ui.Num(i.TokensAfter), ui.Signed(i.TokensAfter-i.TokensBefore), r.callsLine())
	}
	if r.plan.Undoes != 0 { // What it means for the context isn't counted.
		return fmt.Sprintf("rows %d back to what they were, %d back, %d away", updated, inserted, deleted)
	}
	if width < 100 {
		return fmt.Sprintf("items %s → %s  tokens %s → %s (%s)  rows ~%d +%d −%d  calls %d", ui.Num(int64(i.ItemsBefore)), ui.Num(int64(i.ItemsAfter)),
			ui.Num(i.TokensBefore), ui.Num(i.TokensAfter), ui.Signed(i.TokensAfter-i.TokensBefore), updated, inserted, deleted, r.calls)
	}
	return fmt.Sprintf("context items %s → %s   tokens %s → %s (%s)   %s   rows %d changed, %d inserted, %d deleted", ui.Num(int64(i.ItemsBefore)), ui.Num(int64(i.ItemsAfter)),
		ui.Num(i.TokensBefore), ui.Num(i.TokensAfter), ui.Signed(i.TokensAfter-i.TokensBefore), r.callsLine(), updated, inserted, deleted)
}

// callsLine is how many calls of a model were made, and how many it would take.
func (r *Review) callsLine() string {
	if r.generatingNow() {
		return fmt.Sprintf("model calls %d", r.calls+r.items.Cost().Calls)
	}
	line := fmt.Sprintf("model calls %d", r.calls)
	if open := r.plan.Impact.ModelCalls; (r.plan.More || r.plan.Estimate()) && open > 0 && r.state == proposed {
		return line + fmt.Sprintf(", %d to be made", open)
	}
	return line
}

func (r *Review) tabs() ui.Tabs {
	notes := "Notes"
	if n := len(r.plan.Warnings); n > 0 {
		notes += fmt.Sprintf(" ~%d", n)
	}
	return ui.Tabs{Names: []string{
		"Context", r.textTab(), fmt.Sprintf("Rows %d", len(r.plan.Changes)), notes,
	}, Active: r.page}
}

// textTab is the name of the page of texts. Of an estimate nobody knows how many there
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
		return rowLines(r.env.Styles, r.plan.Changes)
	}
	return r.noteText()
}

// keptAround is how many equal rows stay on each side of a change.
const keptAround = 3

// contextText is the contexts before and after, equal stretches folded.
func (r *Review) contextText(width int) string {
	var b strings.Builder
	for _, c := range r.plan.Contexts {
		if len(r.plan.Contexts) > 1 {
			fmt.Fprintf(&b, "conversation %d\n", c.Conversation)
		}
		b.WriteString(r.sides(width))
		pairs := c.Align()
		show := nearChanges(len(pairs), func(i int) bool { return pairs[i].Mark() != ops.Same })
		skipped := 0
		fold := func() {
			if skipped > 0 {
				b.WriteString(r.env.Styles.Faint.Render(fmt.Sprintf("   ⋯ %s the same", ui.Count(int64(skipped), "item", "items"))) + "\n")
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

// sides is the title of the two columns.
func (r *Review) sides(width int) string {
	if r.unified || width < 72 {
		return ""
	}
	half := (width - 3) / 2
	s := r.env.Styles
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

func (r *Review) pairLine(p ops.Pair, width int) string {
	s := r.env.Styles
	if r.unified || width < 72 {
		switch p.Mark() {
		case ops.Removed:
			return s.Removed.Render(signRemoved) + r.itemLine(*p.Before, width-2)
		case ops.Added:
			return s.Added.Render(signAdded) + r.itemLine(*p.After, width-2)
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

// itemLine is one context item in one line.
func (r *Review) itemLine(it data.ContextItem, width int) string {
	return ui.Cut(ui.PadLeft(itoa(it.Ordinal), 5)+" "+itemLabel(r.env.Styles, it)+" "+opening(it.Preview, width), width)
}

// itemLabel is what an item is, with its tokens.
func itemLabel(s *ui.Styles, it data.ContextItem) string {
	if it.IsSummary() {
		return s.Depth(int(it.Depth)).Render("d"+itoa(it.Depth)) + " " + ui.Pad(ui.CutMiddle(ui.Line(it.Summary), 13), 13) +
			" " + ui.PadLeft(ui.Tokens(it.Tokens), 7)
	}
	return s.Role(it.Role).Render(ui.Pad(it.Role, 9)) + " " + ui.Pad("#"+itoa(it.Seq), 6) + " " + ui.PadLeft(ui.Tokens(it.Tokens), 7)
}

func (r *Review) noteText() string {
	s := r.env.Styles
	var b strings.Builder
	for _, w := range r.plan.Warnings {
		b.WriteString(s.Warn.Render("~ ") + ui.Line(w) + "\n\n")
	}
	for _, n := range r.plan.Notes {
		b.WriteString(s.Muted.Render("· ") + ui.Line(n) + "\n\n")
	}
	if b.Len() == 0 {
		return s.Muted.Render("nothing unusual")
	}
	return b.String()
}

// changeSigns begin the lines of what changes, on all pages.
var changeSigns = []string{signRemoved, signAdded, "~ ", "− ", "+ "}

// nextChange goes to the next changed place, or to the one before; on the page of texts
// that is another text.
func (r *Review) nextChange(by int) tea.Cmd {
	if r.page == pageText && len(r.entries()) > 1 {
		return r.moveText(by)
	}
	var at []int
	for i, l := range strings.Split(ansi.Strip(r.text(max(1, r.drawn[r.page]-1))), "\n") {
		begins := func(sign string) bool { return strings.HasPrefix(l, sign) }
		if slices.ContainsFunc(changeSigns, begins) || strings.Contains(l, "│ + ") {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return nil
	}
	if r.change += by; r.change < 0 || r.change >= len(at) {
		r.change = (r.change%len(at) + len(at)) % len(at)
	}
	r.pager().GoTo(at[r.change])
	return nil
}
