package clean

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/engine/redact"
	"lcm-tui/internal/plural"
	sweep "lcm-tui/ops/secrets"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// summary returns what stands above the list: how much was found, what was proved, and the question.
func (v *Secrets) summary(width, height int) (lines []string) {
	s := v.env.Styles
	most := max(2, height-rowsBelow)
	if v.confirm.Typing() {
		return append(v.atMost(v.planLines(width), most), " "+v.confirm.View(width-1), "")
	}
	if v.report == nil {
		return nil
	}
	c := v.report.Counts
	line := views.Itoa(int64(c.Sure)) + " sure, " + views.Itoa(int64(c.Likely)) + " likely, " + views.Itoa(int64(c.Maybe)) + " maybe; " + views.Itoa(int64(len(v.chosen))) + " chosen"
	lines = append(lines, ui.Cut(" "+s.Muted.Render(line), width))
	if len(v.report.UncleanRecords) > 0 {
		lines = append(lines, signed(s.Bad.Render("!"), "pages of the file may still hold what was replaced: give unused space back", width)...)
	}
	if v.result == nil {
		return append(lines, "")
	}
	for _, gone := range []bool{false, true} { // What is still somewhere first.
		for _, p := range v.result.Proof {
			sign := s.Good.Render("✓")
			if !p.Gone {
				sign = s.Bad.Render("!")
			}
			if p.Gone == gone {
				lines = append(lines, signed(sign, p.Rule+"#"+views.Itoa(int64(p.Number))+" "+ui.Line(p.Text()), width)...)
			}
		}
	}
	return append(v.atMost(lines, min(most, maxProofLines)), "")
}

// planLines says what replacing would change, and what it can't.
func (v *Secrets) planLines(width int) (lines []string) {
	s := v.env.Styles
	if v.plan == nil {
		return nil
	}
	p := v.plan
	lines = append(lines, ui.Cut(" "+s.Title.Render(ui.Line(p.Title))+s.Muted.Render(": "+plural.Count(int(p.Set.Total()), "row changes", "rows change")), width))
	for _, w := range p.Warnings {
		lines = append(lines, signed(s.Warn.Render("~"), ui.Line(w), width)...)
	}
	for _, n := range p.Notes {
		lines = append(lines, signed(s.Muted.Render("·"), s.Muted.Render(ui.Line(n)), width)...)
	}
	return lines
}

// signed returns a text behind a sign of one cell, on as many lines as it takes.
func signed(sign, text string, width int) (lines []string) {
	for i, l := range ui.WrapLines(text, max(1, width-3)) {
		if i > 0 {
			sign = " "
		}
		lines = append(lines, ui.Cut(" "+sign+" "+l, width))
	}
	return lines
}

// atMost returns so many of the lines, the last of which says how many are left out.
func (v *Secrets) atMost(lines []string, most int) []string {
	if len(lines) <= most {
		return lines
	}
	return append(lines[:most-1:most-1], v.env.Styles.Muted.Render("   … and "+plural.Count(len(lines)-most+1, "line more", "lines more")))
}

const (
	// rowsBelow are the rows that the question and the list have below the lines above it.
	rowsBelow = 5
	// maxProofLines is how many lines stand above the list at most, after secrets were replaced.
	maxProofLines = 6
)

// classSign returns the sign of a class, so that color isn't the only information.
func (v *Secrets) classSign(c redact.Class) string {
	s := v.env.Styles
	switch c {
	case redact.Sure:
		return s.Bad.Render("!")
	case redact.Likely:
		return s.Warn.Render("~")
	}
	return s.Muted.Render("·")
}

// render returns the row of a secret.
func (v *Secrets) render(f *foundSecret, width int, _ bool) string {
	s, first := v.env.Styles, f.places[0]
	mark, class := " ", v.classSign(first.Class)+" "+ui.Pad(string(first.Class), 6)
	switch {
	case f.ignored:
		class = s.Faint.Render("· ignored")
	case v.chosen[f.number]:
		mark = s.Accent.Render(views.MarkSign)
	}
	where := first.Table
	if p := f.place(); p != nil {
		where = v.env.Label(*p.Conversation)
	}
	if n := len(f.places); n > 1 {
		where += ", " + views.Itoa(int64(n)) + " places"
	}
	return ui.Cut(mark+" "+ui.Pad(class, 9)+" "+ui.Pad(f.name(), min(v.widest, 28))+"  "+ui.Pad(ui.LineN(first.Masked, 14), 14)+"  "+s.Muted.Render(ui.Line(where)), width)
}

// describe lists the places of a secret, each with the text around it.
func (v *Secrets) describe(f *foundSecret, around *surroundings, width int) string {
	s := v.env.Styles
	first := f.places[0]
	var b strings.Builder
	b.WriteString(s.Title.Render(f.name()) + "\n" + v.classSign(first.Class) + " " + string(first.Class) + " · " + ui.Line(first.Masked) + " · " +
		plural.Count(first.Length, "character", "characters") + "\n")
	if f.ignored {
		b.WriteString(s.Muted.Render("You said that it is no secret; i takes that back.") + "\n")
	}
	for _, p := range f.places {
		b.WriteString("\n" + secretPlace(v.env, p) + "\n")
		if around != nil && around.texts[p.ID] != "" {
			b.WriteString(ui.UnderlineMatches(ansi.Wrap(ui.Sanitize(around.texts[p.ID]), max(10, width), ""), first.Masked) + "\n")
		}
	}
	b.WriteString("\n" + s.Muted.Render("Revoke it where it was issued: whoever has read it has it."))
	return b.String()
}

// secretPlace returns where a secret stands, in words.
func secretPlace(e *views.Env, p sweep.Finding) string {
	s := e.Styles
	text := ui.Line(p.Table + "." + p.Column + " " + p.Key)
	if p.Conversation != nil {
		text += s.Muted.Render(" · " + e.Label(*p.Conversation))
	}
	if p.Seq > 0 {
		text += s.Muted.Render(", message " + views.Itoa(p.Seq))
	}
	if p.At.Valid() {
		text += s.Muted.Render(" · " + ui.Timestamp(p.At.Time))
	}
	if p.Count > 1 {
		text += " · " + views.Itoa(int64(p.Count)) + " times"
	}
	if p.Kept != "" {
		text += s.Warn.Render(" · stays: " + ui.Line(p.Kept))
	}
	return text
}
