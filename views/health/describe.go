package health

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/engine/integrity"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// summary returns the line over the list: how much was found, and when.
func (v *Health) summary(width, _ int) []string {
	s := v.env.Styles
	line := " " + countsLine(s, v.found.Counts)
	switch {
	case v.tab != nil && v.tab.Hub.Deleted(): // A conversation that isn't there has no damage.
		return nil
	case v.running != nil || v.when.IsZero():
		return []string{ui.Cut(" "+v.progress(), width)}
	case v.partial:
		return []string{ui.Cut(" "+v.partialLine(), width)}
	case len(v.found.Findings) == 0:
		line = " " + s.Good.Render("✓") + " nothing found"
	}
	line += s.Muted.Render("   checked " + views.Ago(v.when, v.env.Now()))
	if v.stale {
		line += s.Warn.Render("   ~ the file has changed since: ctrl+r checks again")
	}
	return []string{ui.Cut(line, width)}
}

// repairKinds say who decides a repair.
var repairKinds = map[integrity.RepairKind]string{
	integrity.ByRule:   "by rule",
	integrity.ByModel:  "a model writes the text again",
	integrity.ByChoice: "after a choice",
	integrity.NoRepair: "nothing to repair in this file",
}

// describe returns what there is to say of a row.
func (v *Health) describe(a *healthRow, _ views.NoDetail, width int) string {
	s := v.env.Styles
	var b strings.Builder
	say := func(name, text string) {
		if text != "" {
			b.WriteString("\n" + s.Muted.Render(name) + "\n" + ansi.Wrap(ui.Sanitize(text), max(8, width), "") + "\n")
		}
	}
	if a.fault.ID == "" {
		b.WriteString(s.Title.Render(a.symptom.Title) + "\n" + v.tally(a.list) + "\n")
		for _, page := range pages(a.list) {
			say(string(page.ID)+"  "+page.Title, page.Meaning)
		}
		return b.String()
	}
	b.WriteString(s.Title.Render(string(a.fault.ID)+"  "+a.fault.Title) + "\n" + v.tally(a.list) + "\n")
	if f := a.finding; f != nil {
		say("here", v.env.WithNames(f.Detail))
		say("where", v.place(f)+"\n"+ui.Line(f.Table+" "+f.Row))
		if len(f.Rows) > 1 {
			say("rows concerned", strings.Join(f.Rows[:min(len(f.Rows), mostNamed)], ", ")+views.TextWhen(len(f.Rows) > mostNamed, " …"))
		}
	}
	say("what it means", a.fault.Meaning)
	say("cause", a.fault.Cause)
	say("how it is detected", a.fault.Detection)
	say("expected", a.fault.Expected)
	say("repair: "+repairKinds[a.fault.RepairKind], a.fault.Repair)
	return b.String()
}

// mostNamed is how many rows of one finding are named.
const mostNamed = 100

// pages returns the pages of the faults among findings.
func pages(list []integrity.Finding) (out []integrity.Fault) {
	last := integrity.FaultID("")
	for _, f := range list {
		if f.Fault != last {
			page, _ := integrity.Lookup(f.Fault)
			out, last = append(out, page), f.Fault
		}
	}
	return out
}
