package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/engine/integrity"
	"lcm-tui/ui"
)

// diagnosis is the result of doctor.
type diagnosis struct {
	integrity.Diagnosis
	listed
	caveats
	path  string
	conv  int64 // 0: the file.
	whole bool  // All rows of each fault.
	left  int   // How many findings are too mild to show.
}

// mostRows is how many rows of a fault are shown where not all are asked for.
const mostRows = 5

func (d *diagnosis) text(p *page) {
	what := ui.Line(filepath.Base(d.path))
	if d.conv != 0 {
		what = fmt.Sprintf("conversation %d of %s", d.conv, what)
	}
	if len(d.Findings) == 0 {
		p.line(styled(p.styles.Good, "✓") + " nothing found in " + what + d.besides())
		return
	}
	p.line(what + ": " + d.tally(p) + d.besides())
	for _, symptom := range integrity.Symptoms() {
		if list := symptom.Of(d.Findings); len(list) > 0 {
			p.line("")
			p.title(symptom.Title)
			for len(list) > 0 {
				n := 1
				for n < len(list) && list[n].Fault == list[0].Fault {
					n++
				}
				d.fault(p, list[:n])
				list = list[n:]
			}
		}
	}
	p.line("")
	d.more(p)
	p.muted("lcm-tui doctor --explain ID says what a fault means; nothing was changed")
}

// besides is how many findings were left out.
func (d *diagnosis) besides() string {
	if d.left == 0 {
		return ""
	}
	return ", besides " + ui.Count(int64(d.left), "milder one", "milder ones")
}

// tally is how many findings of each severity there are.
func (d *diagnosis) tally(p *page) string {
	var out []string
	for _, s := range integrity.Severities() {
		if n := d.Counts.Of(s); n > 0 {
			out = append(out, severe(p, s, ui.Count(int64(n), tallies[s][0], tallies[s][1])))
		}
	}
	return strings.Join(out, ", ")
}

// tallies are the severities as they are counted, one and many.
var tallies = map[integrity.Severity][2]string{
	integrity.Fatal: {"fatal", "fatal"},
	integrity.Error: {"error", "errors"},
	integrity.Warn:  {"warning", "warnings"},
	integrity.Info:  {"note", "notes"},
}

// severe is text in the colour of a severity.
func severe(p *page, s integrity.Severity, text string) string {
	switch s {
	case integrity.Fatal, integrity.Error:
		return styled(p.styles.Bad, text)
	case integrity.Warn:
		return styled(p.styles.Warn, text)
	}
	return styled(p.styles.Muted, text)
}

// signs stand before a fault: no information by colour alone.
var signs = map[integrity.Severity]string{integrity.Fatal: "!", integrity.Error: "!", integrity.Warn: "~", integrity.Info: "·"}

// fault writes the findings of one fault, and what to type next.
func (d *diagnosis) fault(p *page, list []integrity.Finding) {
	page, _ := integrity.Lookup(list[0].Fault)
	worst := integrity.Worst(list)
	p.linef("  %s %s %s  %s  %s", severe(p, worst, signs[worst]), page.ID, severe(p, worst, ui.Pad(string(worst), 5)), page.Title,
		styled(p.styles.Muted, "×"+ui.Num(int64(len(list)))))
	for i, f := range list {
		if i == mostRows && !d.whole && len(list) > mostRows+1 {
			p.muted(fmt.Sprintf("      … %s more; --fault %s shows all", ui.Num(int64(len(list)-i)), page.ID))
			break
		}
		p.line("      " + d.place(p, f) + "  " + ui.LineN(f.Detail, 400))
	}
	if next := command(list); next != "" {
		p.line("      → " + styled(p.styles.Accent, next))
	}
}

// place is where a finding is.
func (d *diagnosis) place(p *page, f integrity.Finding) string {
	where := ui.LineN(f.Row, 40)
	switch f.Table {
	case "messages":
		where = "message " + where
	case "context_items":
		where = "place " + where
	case "conversations":
		where = "conversation " + where
	}
	if d.conv == 0 && f.Conversation != 0 && f.Table != "conversations" {
		where = styled(p.styles.Muted, fmt.Sprintf("in %d ", f.Conversation)) + where
	}
	return where
}

// command is what mends the findings of one fault, as it is typed.
func command(list []integrity.Finding) string {
	list = slices.DeleteFunc(slices.Clone(list), func(f integrity.Finding) bool { return f.Lost })
	if len(list) == 0 {
		return ""
	}
	page, _ := integrity.Lookup(list[0].Fault)
	if integrity.Worst(list) == integrity.Info || page.RepairKind == integrity.NoRepair {
		return ""
	}
	scope := "--all"
	if conv := list[0].Conversation; conv != 0 && one(list, conv) {
		scope = fmt.Sprint(conv)
	}
	switch page.Operation {
	case "salvage":
		return "lcm-tui salvage DAMAGED NEW"
	case "compact":
		return "lcm-tui compact " + fmt.Sprint(list[0].Conversation)
	}
	return "lcm-tui repair " + scope + " --fault " + string(page.ID)
}

// one reports whether all findings are of one conversation.
func one(list []integrity.Finding, conv int64) bool {
	for _, f := range list {
		if f.Conversation != conv {
			return false
		}
	}
	return true
}
