package views

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
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
	body := r.withItems(width, height, func(width int) string { return r.body(width, height) })
	for i := range top {
		top[i] = ui.Cut(top[i], width)
	}
	return strings.Join(top, "\n") + "\n" + body
}

// body is the page in as much room.
func (r *Review) body(width, height int) string {
	if r.drawn[r.page] != width {
		r.drawn[r.page] = width
		r.pager().SetText(r.text(width - 1))
	}
	return r.pager().View(width, height)
}

// impact is what the plan comes to, in one line.
func (r *Review) impact(width int) string {
	i := r.plan.Impact
	updated, inserted, deleted := r.plan.Count()
	if r.plan.Estimate() && len(r.plan.Contexts) == 0 {
		return fmt.Sprintf("model calls %d   about %s in, %s out", i.ModelCalls, ui.Tokens(i.InputTokens), ui.Tokens(i.OutputTokens))
	}
	if width < 100 {
		return fmt.Sprintf("items %s → %s  tokens %s → %s (%s)  rows ~%d +%d −%d", ui.Num(int64(i.ItemsBefore)), ui.Num(int64(i.ItemsAfter)),
			ui.Num(i.TokensBefore), ui.Num(i.TokensAfter), ui.Signed(i.TokensAfter-i.TokensBefore), updated, inserted, deleted)
	}
	return fmt.Sprintf("context items %s → %s   tokens %s → %s (%s)   model calls %d   rows %d changed, %d inserted, %d deleted", ui.Num(int64(i.ItemsBefore)), ui.Num(int64(i.ItemsAfter)),
		ui.Num(i.TokensBefore), ui.Num(i.TokensAfter), ui.Signed(i.TokensAfter-i.TokensBefore), i.ModelCalls, updated, inserted, deleted)
}

func (r *Review) tabs() ui.Tabs {
	notes := "Notes"
	if n := len(r.plan.Warnings); n > 0 {
		notes += fmt.Sprintf(" ~%d", n)
	}
	return ui.Tabs{Names: []string{
		"Context", fmt.Sprintf("Text %d", len(r.plan.Texts)), fmt.Sprintf("Rows %d", len(r.plan.Changes)), notes,
	}, Active: r.page}
}

func (r *Review) text(width int) string {
	switch r.page {
	case pageContext:
		return r.contextText(width)
	case pageText:
		return r.changedText(width)
	case pageRows:
		return rowLines(r.env.Styles, r.plan.Changes)
	}
	return r.noteText()
}

// keep is how many equal rows stay on each side of a change.
const keep = 3

// contextText is the contexts before and after, equal stretches folded.
func (r *Review) contextText(width int) string {
	var b strings.Builder
	for _, c := range r.plan.Contexts {
		if len(r.plan.Contexts) > 1 {
			fmt.Fprintf(&b, "conversation %d\n", c.Conversation)
		}
		b.WriteString(r.sides(width))
		pairs := c.Align()
		show := near(len(pairs), func(i int) bool { return pairs[i].Mark() != ops.Same })
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

// near reports, for each of n places, whether it is changed or close to one that is.
func near(n int, changed func(int) bool) []bool {
	show := make([]bool, n)
	for i := range n {
		if changed(i) {
			for j := max(0, i-keep); j < min(n, i+keep+1); j++ {
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
			return s.Removed.Render("− ") + r.itemLine(*p.Before, width-2)
		case ops.Added:
			return s.Added.Render("+ ") + r.itemLine(*p.After, width-2)
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

// changedText is every text that changes, word by word.
func (r *Review) changedText(width int) string {
	if len(r.plan.Texts) == 0 {
		return r.env.Styles.Muted.Render("no text changes: only the rows on the third page do")
	}
	var b strings.Builder
	r.starts = r.starts[:0]
	r.judged = min(r.judged, len(r.plan.Texts)-1)
	for i, t := range r.plan.Texts {
		mark := "  "
		if i == r.judged {
			mark = r.env.Styles.Accent.Render("▸ ")
		}
		r.starts = append(r.starts, strings.Count(b.String(), "\n"))
		b.WriteString(mark + r.env.Styles.Title.Render(ui.Line(t.ID)) +
			r.env.Styles.Muted.Render(fmt.Sprintf("  %d of %d", i+1, len(r.plan.Texts))) + "\n\n" + r.textDiff(t, width) + "\n")
	}
	return b.String()
}

func (r *Review) textDiff(t ops.Text, width int) string {
	s := r.env.Styles
	pieces := ops.Words(t.Before, t.After)
	before, after := joined(pieces, s, true, false), joined(pieces, s, false, true)
	if t.Made { // There is no older version to compare with.
		before, after = muted(s, t.Before), ui.Clean(t.After)
	}
	switch {
	case (r.unified || width < 72) && t.Made:
		return after + "\n\n" + s.Muted.Render("made of") + "\n\n" + before + "\n"
	case r.unified || width < 72:
		return joined(pieces, s, true, true) + "\n"
	}
	half := (width - 3) / 2
	left := strings.Split(ansi.Wrap(before, half, ""), "\n")
	right := strings.Split(ansi.Wrap(after, half, ""), "\n")
	var b strings.Builder
	for i := range max(len(left), len(right)) {
		b.WriteString(ui.Pad(at(left, i), half) + s.Faint.Render(" │ ") + at(right, i) + "\n")
	}
	return b.String()
}

// muted is a stored text in the colour of what matters less, line by line.
func muted(s *ui.Styles, text string) string {
	lines := strings.Split(ui.Clean(text), "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = s.Muted.Render(l)
		}
	}
	return strings.Join(lines, "\n")
}

// at is a line, or nothing behind the last.
func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// joined is the text of the pieces of one side or both, what differs marked.
func joined(pieces []ops.Piece, s *ui.Styles, before, after bool) string {
	var b strings.Builder
	for _, p := range pieces {
		style, show := lipgloss.NewStyle(), true
		switch p.Mark {
		case ops.Removed:
			style, show = s.RemovedWord, before
		case ops.Added:
			style, show = s.AddedWord, after
		}
		if !show {
			continue
		}
		for i, line := range strings.Split(ui.Clean(p.Text), "\n") {
			if i > 0 {
				b.WriteByte('\n')
			}
			if line != "" {
				b.WriteString(style.Render(line))
			}
		}
	}
	return b.String()
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

// nextText goes to the next text on the page of texts.
func (r *Review) nextText() {
	if len(r.starts) == 0 {
		return
	}
	r.judged = (r.judged + 1) % len(r.starts)
	r.pager().SetText(r.changedText(max(1, r.drawn[pageText]-1)))
	r.pager().GoTo(r.starts[r.judged])
}

// nextChange goes to the next changed row of the context, or to the next text.
func (r *Review) nextChange() tea.Cmd {
	if r.page == pageText {
		r.nextText()
		return nil
	}
	var at []int
	for i, l := range strings.Split(ansi.Strip(r.text(max(1, r.drawn[r.page]-1))), "\n") {
		if strings.HasPrefix(l, "− ") || strings.HasPrefix(l, "+ ") || strings.Contains(l, "│ + ") {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return nil
	}
	r.pager().GoTo(at[r.change%len(at)])
	r.change++
	return nil
}
