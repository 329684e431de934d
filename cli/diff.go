package cli

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/aymanbagabas/go-udiff"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
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
