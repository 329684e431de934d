package cli

import (
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data/change"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ui"
)

// Print prints the plan: its title, its impact, the items that move, the warnings
// of, and whether it was written.
func (o *PlanResult) Print(p *Printer) {
	p.Title(ui.Line(o.Title))
	if o.Set != nil {
		p.setText(o.Plan)
	} else {
		p.Line(impactLine(o.Impact))
		p.Line(rowsLine(o.Plan))
	}
	for _, c := range o.Contexts {
		p.Write("\n")
		p.Title(fmt.Sprintf("context of conversation %d", c.Conversation))
		p.contextDiff(c.Align())
	}
	for _, t := range o.Texts {
		p.Write("\n")
		p.changedText(t, o.ShowWhole)
	}
	if o.ShowRows {
		p.Write("\n")
		itemLines(p, o.Items)
		p.Title("rows")
		ChangeLines(p, o.Changes)
	}
	p.Write("\n")
	for _, n := range o.Notes {
		if o.Set != nil && o.Empty() {
			break // They say what becomes of what is removed.
		}
		p.Block("note: " + ui.Line(n))
	}
	for _, w := range o.Warnings {
		p.Block(Styled(p.Styles.Warn, "warning: "+ui.Line(w)))
	}
	if how := howToChoose(o.Items); how != "" && !o.Applied {
		p.Line(how)
	}
	if o.Applied {
		o.printReceipt(p)
		line := AppliedLine(append([]int64{*o.Record}, o.Records...))
		if o.hasNoUndo() {
			line = fmt.Sprintf("applied as record %d", *o.Record)
		}
		p.Line(Styled(p.Styles.Good, line))
		return
	}
	if o.PlanFile != "" {
		p.Line(o.planFileLine())
		return
	}
	if o.Estimate() {
		p.Line("an estimate: nothing was asked and nothing written; --generate asks, --apply also writes")
		return
	}
	if o.More {
		p.Line("nothing was written, and no model was asked; --generate asks, --apply also writes")
		return
	}
	if o.Refused != nil || o.Empty() {
		p.Line("nothing was written")
		return
	}
	p.Line("nothing was written; add --apply to write it")
}

// printReceipt prints the receipt of texts that a query found and that were forgotten.
func (o *PlanResult) printReceipt(p *Printer) {
	if o.Set == nil || o.Set.Matching == nil || o.Set.Matching.Receipt == nil {
		return
	}
	p.Receipt(o.Set.Matching.Receipt)
	if path := o.Set.Matching.ReceiptPath; path != "" {
		p.Line("the receipt is in " + ui.Line(path))
	}
}

// AppliedLine says which records were written, and how they are undone.
func AppliedLine(records []int64) string {
	first, last := slices.Min(records), slices.Max(records)
	if first == last {
		return fmt.Sprintf("applied as record %d; lcm-tui undo %d undoes it", first, first)
	}
	return fmt.Sprintf("applied as records %d to %d; lcm-tui undo undoes the last one", first, last)
}

// changedText writes a text that changes, whole or as what differs.
func (p *Printer) changedText(t ops.Text, whole bool) {
	switch {
	case t.Made:
		p.madeText(t)
	case whole:
		p.wholeText(t)
	default:
		p.TextDiff(t)
	}
}

// madeText writes a text that is new. What it was made of is in the JSON.
func (p *Printer) madeText(t ops.Text) {
	title := ui.Line(t.ID) + " is a new text"
	if t.Before != "" { // Else somebody wrote it.
		title = ui.Line(t.ID) + " would be made of " + plural.Count(len(t.Before), "byte", "bytes")
	}
	p.Title(title)
	p.Block(ui.Sanitize(t.After))
}

// wholeText writes a changed text as it was and as it would be.
func (p *Printer) wholeText(t ops.Text) {
	p.Title(ui.Line(t.ID) + " before")
	p.Block(ui.Sanitize(t.Before))
	p.Title(ui.Line(t.ID) + " after")
	p.Block(ui.Sanitize(t.After))
}

func impactLine(i ops.Impact) string {
	after := ui.Num(i.TokensAfter) + " (" + ui.Signed(i.TokensAfter-i.TokensBefore) + ")"
	if i.Unknown {
		after = "not known before the model answers"
	}
	s := fmt.Sprintf("context items %s → %s, tokens %s → %s, model calls %s",
		ui.Num(int64(i.ItemsBefore)), ui.Num(int64(i.ItemsAfter)), ui.Num(i.TokensBefore), after, ui.Num(int64(i.ModelCalls)))
	if i.ModelCalls > 0 && i.InputTokens+i.OutputTokens > 0 { // A command of one's own doesn't count them.
		s += fmt.Sprintf(" (%s in, %s out)", ui.Tokens(i.InputTokens), ui.Tokens(i.OutputTokens))
	}
	return s
}

func rowsLine(p ops.Plan) string {
	var parts []string
	updates, inserts, deletes := p.Count()
	for _, c := range []struct {
		n    int
		verb string
	}{{updates, "updated"}, {inserts, "inserted"}, {deletes, "deleted"}} {
		if c.n > 0 {
			parts = append(parts, ui.Num(int64(c.n))+" "+c.verb)
		}
	}
	if len(p.Rebuild) > 0 {
		parts = append(parts, strings.Join(p.Rebuild, ", ")+" rebuilt")
	}
	if len(parts) == 0 {
		return "rows: none"
	}
	return "rows: " + strings.Join(parts, ", ")
}

// ChangeLines writes what became of the rows, one line for those of a table that
// fared alike.
func ChangeLines(p *Printer, cs []change.Change) {
	for len(cs) > 0 {
		n := 1
		for n < len(cs) && cs[n].Table == cs[0].Table && changeText(cs[n]) == changeText(cs[0]) {
			n++
		}
		line := "  " + ui.Pad(changeText(cs[0]), 9) + ui.Line(cs[0].Label())
		if n > 1 {
			line += " … " + ui.Line(cs[n-1].Label()) + ", " + plural.Count(n, "row", "rows")
		}
		p.Line(line)
		cs = cs[n:]
	}
}

// changeText says what became of a row.
func changeText(c change.Change) string {
	switch {
	case c.Before == nil:
		return "inserted"
	case c.After == nil:
		return "deleted"
	}
	return "updated"
}

// howToChoose says which flag decides an open finding, or is empty where none is open.
func howToChoose(items []ops.Item) string {
	for _, i := range items {
		if i.State == ops.Open && len(i.Choices) > 0 {
			_, finding, _ := strings.Cut(i.ID, "/")
			return fmt.Sprintf("choose with --choose FINDING=WHAT, such as --choose %s=%s", finding, i.Choices[0].Name)
		}
	}
	return ""
}

// itemLines lists the findings of a plan, each with what the plan does about it.
func itemLines(p *Printer, items []ops.Item) {
	for _, i := range items {
		line := i.ID + "  " + string(i.State) + "  " + i.Problem
		if does := i.Action + i.Reason; does != "" {
			line += ": " + does
		}
		p.Block(ui.Line(line))
	}
}
