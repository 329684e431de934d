package cli

import (
	"fmt"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/aymanbagabas/go-udiff"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/diff"
	"lcm-tui/ui"
)

// contextLines is how many equal lines are shown on each side of a difference.
const contextLines = 3

// contextDiff writes two contexts as one list with − and +; equal runs are folded.
func (p *Printer) contextDiff(pairs []ops.Pair) {
	show := make([]bool, len(pairs))
	for i, pair := range pairs {
		if pair.Mark() == ops.Same {
			continue
		}
		for j := max(0, i-contextLines); j <= min(len(pairs)-1, i+contextLines); j++ {
			show[j] = true
		}
	}
	folded := 0
	for i, pair := range pairs {
		if !show[i] {
			folded++
			continue
		}
		p.fold(folded)
		folded = 0
		p.pair(pair)
	}
	p.fold(folded)
}

func (p *Printer) fold(n int) {
	if n > 0 {
		p.Muted("    ⋯ " + plural.Count(n, "item", "items") + " as before")
	}
}

func (p *Printer) pair(pair ops.Pair) {
	switch pair.Mark() {
	case ops.Removed:
		p.Line(Styled(p.Styles.Removed, "− "+itemLine(*pair.Before)))
	case ops.Added:
		p.Line(Styled(p.Styles.Added, "+ "+itemLine(*pair.After)))
	default:
		p.Line("  " + itemLine(*pair.After))
	}
}

// itemLine returns one place of a context.
func itemLine(i lcm.ContextItem) string {
	return fmt.Sprintf("%4d  %s  %s  %s", i.Ordinal, ui.Pad(ItemName(i), 30), ui.PadLeft(ui.Tokens(i.Tokens), 8), Preview(i.Preview))
}

// ItemName says what stands there: the depth and id of a summary, or the role and
// integerFlag of a message.
func ItemName(i lcm.ContextItem) string {
	name := ui.Line(i.Role) + " #" + i.Ref()
	if i.IsSummary() {
		name = fmt.Sprintf("d%d %s", i.Depth, ui.Line(i.Ref()))
	}
	if i.Missing {
		name += " (missing)"
	}
	return name
}

// TextDiff writes a changed text as a unified diff.
func (p *Printer) TextDiff(t ops.Text) {
	id := ui.Line(t.ID)
	p.Title("text of " + id)
	p.Unified(udiff.Unified("before", "after", EndLine(t.Before), EndLine(t.After)))
}

// Unified writes a unified diff in colours.
func (p *Printer) Unified(diff string) {
	for l := range strings.Lines(ui.Sanitize(diff)) {
		l = strings.TrimSuffix(l, "\n")
		p.Write(Styled(p.sideOf(l), l) + "\n")
	}
}

// EndLine ends a text with a newline, of which the diff would remark that it lacks.
func EndLine(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

func (p *Printer) sideOf(line string) lipgloss.Style {
	switch line[:min(1, len(line))] {
	case "+":
		return p.Styles.Added
	case "-":
		return p.Styles.Removed
	case "@":
		return p.Styles.Muted
	}
	return lipgloss.NewStyle()
}

// DiffConversations lists the conversations that differ.
func (p *Printer) DiffConversations(r *diff.Report) {
	columns := []Column{
		{Title: "conv", Right: true},
		{Title: "conversation", Grows: true},
		{Title: "status"},
		{Title: "messages"},
		{Title: "summaries"},
		{Title: "context"},
		{Title: "other", Spare: true},
	}
	cells := make([][]string, len(r.Conversations))
	for i, c := range r.Conversations {
		cells[i] = []string{
			strconv.FormatInt(c.ID, 10), ui.Line(c.Name()), p.diffStatus(c.Status), diff.CountsText(c.Messages), diff.CountsText(c.Summaries),
			c.Context.String(), diff.CountsText(c.Other()),
		}
	}
	p.Table(columns, cells)
}

// diffStatus returns what became of a conversation, in its colour.
func (p *Printer) diffStatus(s diff.Status) string {
	switch s {
	case diff.Added, diff.Unarchived:
		return Styled(p.Styles.Added, string(s))
	case diff.Removed, diff.Archived:
		return Styled(p.Styles.Removed, string(s))
	}
	return string(s)
}
