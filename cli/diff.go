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
func (p *printer) contextDiff(pairs []ops.Pair) {
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

func (p *printer) fold(n int) {
	if n > 0 {
		p.muted("    ⋯ " + plural.Count(n, "item", "items") + " as before")
	}
}

func (p *printer) pair(pair ops.Pair) {
	switch pair.Mark() {
	case ops.Removed:
		p.line(styled(p.styles.Removed, "− "+itemLine(*pair.Before)))
	case ops.Added:
		p.line(styled(p.styles.Added, "+ "+itemLine(*pair.After)))
	default:
		p.line("  " + itemLine(*pair.After))
	}
}

// itemLine is one place of a context.
func itemLine(i lcm.ContextItem) string {
	return fmt.Sprintf("%4d  %s  %s  %s", i.Ordinal, ui.Pad(itemName(i), 30), ui.PadLeft(ui.Tokens(i.Tokens), 8), preview(i.Preview))
}

// itemName says what stands there: the depth and id of a summary, or the role and
// integerFlag of a message.
func itemName(i lcm.ContextItem) string {
	name := ui.Line(i.Role) + " #" + i.Ref()
	if i.IsSummary() {
		name = fmt.Sprintf("d%d %s", i.Depth, ui.Line(i.Ref()))
	}
	if i.Missing {
		name += " (missing)"
	}
	return name
}

// textDiff writes a changed text as a unified diff.
func (p *printer) textDiff(t ops.Text) {
	id := ui.Line(t.ID)
	p.title("text of " + id)
	p.unified(udiff.Unified("before", "after", endLine(t.Before), endLine(t.After)))
}

// unified writes a unified diff in colours.
func (p *printer) unified(diff string) {
	for l := range strings.Lines(ui.Sanitize(diff)) {
		l = strings.TrimSuffix(l, "\n")
		p.write(styled(p.sideOf(l), l) + "\n")
	}
}

// endLine ends a text with a newline, of which the diff would remark that it lacks.
func endLine(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

func (p *printer) sideOf(line string) lipgloss.Style {
	switch line[:min(1, len(line))] {
	case "+":
		return p.styles.Added
	case "-":
		return p.styles.Removed
	case "@":
		return p.styles.Muted
	}
	return lipgloss.NewStyle()
}

// diffConversations lists the conversations that differ.
func (p *printer) diffConversations(r *diff.Report) {
	columns := []column{
		{title: "conv", right: true},
		{title: "conversation", grows: true},
		{title: "status"},
		{title: "messages"},
		{title: "summaries"},
		{title: "context"},
		{title: "other", spare: true},
	}
	cells := make([][]string, len(r.Conversations))
	for i, c := range r.Conversations {
		cells[i] = []string{
			strconv.FormatInt(c.ID, 10), ui.Line(c.Name()), p.diffStatus(c.Status), diff.CountsText(c.Messages), diff.CountsText(c.Summaries),
			c.Context.String(), diff.CountsText(c.Other()),
		}
	}
	p.table(columns, cells)
}

// diffStatus is what became of a conversation, in its colour.
func (p *printer) diffStatus(s diff.Status) string {
	switch s {
	case diff.Added, diff.Unarchived:
		return styled(p.styles.Added, string(s))
	case diff.Removed, diff.Archived:
		return styled(p.styles.Removed, string(s))
	}
	return string(s)
}
