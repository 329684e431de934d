package review

import (
	"fmt"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// rowsText returns the rows that change: a set in total, others one by one.
func rowsText(e *views.Env, p *ops.Plan, width int) string {
	if p.Set != nil {
		return setText(e, p, width)
	}
	return rowLines(e.Styles, p.Changes)
}

// noteText returns the warnings and notes of the plan.
func noteText(e *views.Env, p *ops.Plan) string {
	s := e.Styles
	var b strings.Builder
	for _, w := range p.Warnings {
		b.WriteString(s.Warn.Render("~ ") + ui.Line(e.WithNames(p.ScreenText(w))) + "\n\n")
	}
	for _, n := range p.Notes {
		b.WriteString(s.Muted.Render("· ") + ui.Line(e.WithNames(p.ScreenText(n))) + "\n\n")
	}
	if b.Len() == 0 {
		return s.Muted.Render("nothing unusual")
	}
	return b.String()
}

// mostRows is how many changed rows are shown: nobody reads more, and they would
// have to be drawn before anything is seen.
const mostRows = 1000

// rowLines returns changed rows for people: what was, what is, of the columns that
// differ.
func rowLines(s *ui.Styles, cs []change.Change) string {
	var b strings.Builder
	rest := max(0, len(cs)-mostRows)
	for _, c := range cs[:len(cs)-rest] {
		b.WriteString(mark(s, c) + " " + ui.Line(c.Label()) + "\n")
		for _, l := range columnLines(c) {
			b.WriteString("      " + s.Muted.Render(ui.Pad(l.column, 18)) + l.text + "\n")
		}
	}
	if rest > 0 {
		b.WriteString(s.Muted.Render("… and "+plural.Count(rest, "row", "rows")+" more") + "\n")
	}
	return b.String()
}

func mark(s *ui.Styles, c change.Change) string {
	switch {
	case c.Before == nil:
		return s.Added.Render("+ insert")
	case c.After == nil:
		return s.Removed.Render("− delete")
	}
	return s.Accent.Render("~ update")
}

type columnLine struct{ column, text string }

func columnLines(c change.Change) (out []columnLine) {
	row := c.Before
	if c.After != nil {
		row = c.After
	}
	if c.KeyOnly() {
		return []columnLine{{"", "the record keeps only its key"}}
	}
	for _, col := range row.Columns() {
		before, after := value(c.Before, col), value(c.After, col)
		switch {
		case c.Before == nil:
			out = append(out, columnLine{col, after})
		case c.After == nil:
			out = append(out, columnLine{col, before})
		case before != after:
			out = append(out, columnLine{col, before + " → " + after})
		}
	}
	return out
}

const longestValue = 160

func value(r data.Row, col string) string {
	switch v := r[col].(type) {
	case nil:
		return "NULL"
	case []byte:
		return fmt.Sprintf("%s of binary", ui.Size(int64(len(v))))
	case string:
		return ui.LineN(v, longestValue)
	default:
		return fmt.Sprint(v)
	}
}

// patch returns what changes in the texts of a plan, as a unified diff of one file a text.
func patch(p ops.Plan) string {
	var b strings.Builder
	for _, t := range p.Texts {
		if t.Made {
			t.Before = "" // What it is made from isn't another version of it.
		}
		b.WriteString(ops.Unified(t))
	}
	return b.String()
}
