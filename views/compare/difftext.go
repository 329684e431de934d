package compare

import (
	"context"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/ops"
	"lcm-tui/ops/diff"
	"lcm-tui/ops/diff/filepair"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// diffText is what differs in the columns of a row, word by word.
type diffText struct{ pieces map[string][]ops.Piece }

// shortValue is how long two values may be together to stand in one line, in bytes.
const shortValue = 60

// texts returns the columns of a changed row that differ and don't fit on a line.
func (r *diffLine) texts() (out []ops.Text) {
	if r.row == nil || r.row.Change != filepair.Changed {
		return nil
	}
	for _, c := range r.row.Columns {
		t := ops.Text{ID: c, Before: data.CellText(r.row.Before[c]), After: data.CellText(r.row.After[c])}
		if len(t.Before)+len(t.After) > shortValue {
			out = append(out, t)
		}
	}
	return out
}

// readText compares the texts of a row, beside the loop because they may be long.
func (v *Diff) readText(r *diffLine) views.DetailReader[*diffText] {
	texts := r.texts()
	if len(texts) == 0 {
		return nil
	}
	return func(context.Context) (*diffText, error) {
		d := &diffText{pieces: map[string][]ops.Piece{}}
		for _, t := range texts {
			d.pieces[t.ID] = ops.Words(t.Before, t.After)
		}
		return d, nil
	}
}

// describe returns what differs in a line, in words.
func (v *Diff) describe(r *diffLine, d *diffText, width int) string {
	switch {
	case r.row != nil:
		return v.describeRow(r, d, width)
	case r.item != nil:
		return v.describeItem(r.item)
	case r.remark != "":
		return v.env.Styles.Muted.Render(ui.Line(r.remark))
	}
	return v.describeConversation(r.conversation)
}

// describeConversation says how much differs in a conversation.
func (v *Diff) describeConversation(c *diff.Conversation) string {
	s := v.env.Styles
	lines := []string{s.Title.Render("#"+views.Itoa(c.ID)+" "+ui.Line(c.Name())) + "  " + v.status(c.Status), ""}
	fact := func(name, value string) {
		if value != "" {
			lines = append(lines, s.Muted.Render(ui.Pad(name, 11))+value)
		}
	}
	fact("columns", ui.Line(strings.Join(c.Columns, ", ")))
	fact("messages", diff.CountsText(c.Messages))
	fact("parts", diff.CountsText(c.Parts))
	fact("summaries", diff.CountsText(c.Summaries))
	fact("links", diff.CountsText(c.Links))
	fact("context", c.Context.String())
	if !c.Context.IsZero() {
		fact("tokens", ui.Tokens(c.Context.TokensBefore)+" → "+ui.Tokens(c.Context.TokensAfter))
	}
	fact("files", diff.CountsText(c.Files))
	for _, t := range c.Tables {
		fact("state", diff.CountsText(t.Counts)+"  "+s.Muted.Render(ui.Line(t.Name)))
	}
	if d := v.details[c.ID]; d != nil && d.BudgetBefore != d.BudgetAfter {
		fact("budget", ui.Tokens(d.BudgetBefore)+" → "+ui.Tokens(d.BudgetAfter))
	}
	return strings.Join(lines, "\n")
}

// describeItem says what became of an item of a context.
func (v *Diff) describeItem(i *diff.ItemChange) string {
	s := v.env.Styles
	lines := []string{s.Title.Render(ui.Line(i.Type+" "+i.Ref)) + "  " + i.Change, "", s.Muted.Render("tokens  ") + ui.Tokens(i.Tokens)}
	for _, at := range []struct {
		name    string
		ordinal *int64
	}{{"before  ", i.Before}, {"after   ", i.After}} {
		if at.ordinal != nil {
			lines = append(lines, s.Muted.Render(at.name)+"ordinal "+views.Itoa(*at.ordinal))
		}
	}
	if i.Run > 1 {
		lines = append(lines, "", "and the "+views.Itoa(int64(i.Run-1))+" items after it moved with it")
	}
	return strings.Join(lines, "\n")
}

// describeRow says what differs in a row: short values in a line, texts side by side.
func (v *Diff) describeRow(r *diffLine, d *diffText, width int) string {
	s, row := v.env.Styles, r.row
	var b strings.Builder
	b.WriteString(s.Title.Render(ui.Line(diff.RowName(row))) + "  " + string(row.Change) + views.TextWhen(row.Mark != "", ", "+string(row.Mark)) + "\n")
	b.WriteString(s.Muted.Render(ui.Line(row.Table)) + "\n\n")
	if row.Change != filepair.Changed {
		cells := row.After
		if cells == nil {
			cells = row.Before
		}
		return b.String() + v.cells(cells)
	}
	for _, c := range row.Columns {
		before, after := data.CellText(row.Before[c]), data.CellText(row.After[c])
		if len(before)+len(after) <= shortValue {
			b.WriteString(s.Muted.Render(ui.Line(c)) + "  " + v.value(row.Before[c]) + " → " + v.value(row.After[c]) + "\n")
			continue
		}
		b.WriteString(s.Muted.Render(ui.Line(c)) + "\n" + v.words(d, c, width))
		if slices.Contains(row.Clipped, c) {
			b.WriteString(s.Muted.Render("what follows isn't shown: the text is longer than "+ui.Size(int64(diffLimits.Bytes))) + "\n")
		}
	}
	return b.String()
}

// words returns two versions of a text beside each other, or below each other where there is too little
// room.
func (v *Diff) words(d *diffText, column string, width int) string {
	if d == nil {
		return v.env.Styles.Muted.Render("comparing") + "\n"
	}
	lines := views.DiffRows(d.pieces[column], v.env.Styles)
	if width >= wideText {
		return views.SideBySide(lines, width, v.env.Styles)
	}
	return views.Unified(lines, width, v.env.Styles)
}

// wideText is the width from which two texts stand beside each other.
const wideText = 80

// value returns a short value, or the word for none.
func (v *Diff) value(cell any) string {
	if cell == nil {
		return v.env.Styles.Muted.Render("none")
	}
	return ui.Line(data.CellText(cell))
}

// cells returns the columns of a row that hold something, a long text last.
func (v *Diff) cells(row data.Row) string {
	var short, long strings.Builder
	for _, c := range row.Columns() {
		text := data.CellText(row[c])
		switch name := v.env.Styles.Muted.Render(ui.Line(c)); {
		case text == "":
		case len(text) > shortValue || strings.Contains(text, "\n"):
			long.WriteString("\n" + name + "\n" + ui.Sanitize(text) + "\n")
		default:
			short.WriteString(name + "  " + ui.Line(text) + "\n")
		}
	}
	return short.String() + long.String()
}
