package read

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/diff"
	"lcm-tui/ops/diff/filepair"
	"lcm-tui/ui"
)

// diffDetails writes the rows of a conversation that differ.
func diffDetails(p *cli.Printer, c *diff.Conversation) {
	p.Title(fmt.Sprintf("conversation %d  %s  %s", c.ID, ui.Line(c.Name()), c.Status))
	table := ""
	for _, r := range c.Details.Rows {
		if r.Table != table {
			table = r.Table
			p.Muted(ui.Line(table))
		}
		diffRow(p, r)
	}
	for _, m := range c.Details.More {
		p.Muted(fmt.Sprintf("  and more of %s: %s", ui.Line(m.Name), diff.CountsText(m.Counts)))
	}
	diffContext(p, c)
}

// diffRow writes one row that differs: its name, then what differs in it.
func diffRow(p *cli.Printer, r *filepair.Row) {
	switch r.Change {
	case filepair.Added:
		p.Line(cli.Styled(p.Styles.Added, "  + "+diff.RowName(r)) + "  " + cli.Preview(diff.RowText(r)))
		return
	case filepair.Removed:
		p.Line(cli.Styled(p.Styles.Removed, "  − "+diff.RowName(r)) + "  " + cli.Preview(diff.RowText(r)))
		return
	}
	mark := ""
	if r.Mark != "" {
		mark = "  " + string(r.Mark)
	}
	p.Line("  ~ " + diff.RowName(r) + cli.Styled(p.Styles.Accent, mark))
	for _, column := range r.Columns {
		before, after := data.CellText(r.Before[column]), data.CellText(r.After[column])
		if len(before)+len(after) <= shortCell && !strings.ContainsAny(before+after, "\n\r") {
			p.Line("      " + ui.Line(column) + "  " + diffCell(r.Before[column]) + " → " + diffCell(r.After[column]))
			continue
		}
		diffText(p, ops.Text{ID: column, Before: before, After: after}, slices.Contains(r.Clipped, column))
	}
}

// shortCell is how long two values may be together to be shown in one line, in bytes.
const shortCell = 120

// diffCell returns a short value, or the word for none.
func diffCell(v any) string {
	if v == nil {
		return "none"
	}
	return ui.Line(data.CellText(v))
}

// diffText writes a text that differs.
func diffText(p *cli.Printer, t ops.Text, clipped bool) {
	p.Line("      " + ui.Line(t.ID))
	wordDiff(p, ops.Words(t.Before, t.After))
	if clipped {
		p.Muted("    what follows isn't shown: the text is longer than " + ui.Size(diffBytes))
	}
}

// diffContext writes the items of a context that differ.
func diffContext(p *cli.Printer, c *diff.Conversation) {
	if len(c.Details.Items) == 0 {
		return
	}
	p.Muted(fmt.Sprintf("context  %s → %s", ui.Tokens(c.Context.TokensBefore), ui.Tokens(c.Context.TokensAfter)))
	for _, i := range c.Details.Items {
		name := i.Type + " " + i.Ref
		switch {
		case i.Before == nil:
			p.Line(cli.Styled(p.Styles.Added, fmt.Sprintf("  + %4d  %s", *i.After, ui.Line(name))) + "  " + ui.Tokens(i.Tokens))
		case i.After == nil:
			p.Line(cli.Styled(p.Styles.Removed, fmt.Sprintf("  − %4d  %s", *i.Before, ui.Line(name))) + "  " + ui.Tokens(i.Tokens))
		case *i.Before != *i.After:
			p.Linef("  ↕ %4d → %d  %s%s", *i.Before, *i.After, ui.Line(name), runOf(i))
		default:
			p.Linef("  ~ %4d  %s", *i.Before, ui.Line(name))
		}
	}
	if n := c.Details.MoreItems; n > 0 {
		p.Muted("  and " + plural.Count(n, "more item", "more items"))
	}
}

// runOf says how many items moved alike.
func runOf(i diff.ItemChange) string {
	if i.Run < 2 {
		return ""
	}
	return " and the " + plural.Count(i.Run-1, "item", "items") + " after it"
}

// sameShown is how much of an equal text is shown on each side of a difference, in bytes.
const sameShown = 60

// wordDiff writes a text that differs, with [-what was removed-] and {+what was added+}.
func wordDiff(p *cli.Printer, pieces []ops.Piece) {
	var b strings.Builder
	for i, piece := range pieces {
		text := ui.Sanitize(piece.Text)
		switch piece.Mark {
		case ops.Removed:
			b.WriteString(eachLine(p.Styles.Removed, "[-"+text+"-]"))
		case ops.Added:
			b.WriteString(eachLine(p.Styles.Added, "{+"+text+"+}"))
		default:
			b.WriteString(endsOf(text, i > 0, i < len(pieces)-1))
		}
	}
	for line := range strings.Lines(b.String()) {
		p.Write("      " + strings.TrimSuffix(line, "\n") + "\n")
	}
}

// eachLine renders every line of a text apart: lines that are rendered together are filled
// with blanks up to the longest one.
func eachLine(s lipgloss.Style, text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = cli.Styled(s, line)
	}
	return strings.Join(lines, "\n")
}

// endsOf returns the end and the beginning of an equal text, as far as a difference stands beside it.
func endsOf(text string, after, before bool) string {
	if len(text) <= 2*sameShown {
		return text
	}
	from := len(text) - sameShown
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	switch start, end := data.StartOfText(text, sameShown), text[from:]; {
	case after && before:
		return start + " … " + end
	case after:
		return start + " …"
	default:
		return "… " + end
	}
}
