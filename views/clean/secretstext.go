package clean

import (
	"strings"

	"lcm-tui/engine/redact"
	"lcm-tui/internal/plural"
	sweep "lcm-tui/ops/secrets"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// summary returns what stands above the list: how much was found, what was proved, and the question.
func (v *Secrets) summary(width, _ int) (lines []string) {
	s := v.env.Styles
	if v.confirm.Typing() {
		return []string{v.confirm.View(width), ""}
	}
	if v.report == nil {
		return nil
	}
	c := v.report.Counts
	line := views.Itoa(int64(c.Sure)) + " sure, " + views.Itoa(int64(c.Likely)) + " likely, " + views.Itoa(int64(c.Maybe)) + " maybe; " + views.Itoa(int64(len(v.numbers()))) + " chosen"
	lines = append(lines, ui.Cut(line, width))
	if len(v.report.UncleanRecords) > 0 {
		lines = append(lines, ui.Cut(s.Bad.Render("! ")+"pages of the file may still hold what was replaced: give unused space back", width))
	}
	if v.result == nil {
		return append(lines, "")
	}
	for _, p := range v.result.Proof {
		sign := s.Good.Render("✓ ")
		if !p.Gone {
			sign = s.Bad.Render("! ")
		}
		lines = append(lines, ui.Cut(sign+p.Rule+"#"+views.Itoa(int64(p.Number))+" "+ui.Line(p.Text()), width))
		if len(lines) == maxProofLines {
			break
		}
	}
	return append(lines, "")
}

// maxProofLines is how many lines stand above the list at most.
const maxProofLines = 6

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

func (v *Secrets) render(f *foundSecret, width int, _ bool) string {
	mark := "[ ]"
	if v.chosen[f.number] {
		mark = "[x]"
	}
	first := f.places[0]
	return ui.Cut(mark+" "+v.classSign(first.Class)+" "+ui.Pad(string(first.Class), 6)+" "+f.name()+"  "+ui.Line(first.Masked)+"  "+plural.Count(len(f.places), "place", "places"), width)
}

// describe lists the places of a secret.
func (v *Secrets) describe(f *foundSecret, _ views.NoDetail, _ int) string {
	s := v.env.Styles
	first := f.places[0]
	var b strings.Builder
	b.WriteString(s.Title.Render(f.name()) + "\n" + v.classSign(first.Class) + " " + string(first.Class) + " · " + ui.Line(first.Masked) + " · " +
		plural.Count(first.Length, "character", "characters") + "\n\n")
	for _, p := range f.places {
		b.WriteString(secretPlace(v.env, p) + "\n")
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
