package change

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// faultPages is the result of doctor --list.
type faultPages struct {
	Faults []integrity.Fault `json:"faults"`
	cli.WarningList
}

// faultPage is the result of doctor --explain.
type faultPage struct {
	integrity.Fault
	cli.WarningList
}

// explainFault returns the page of one fault.
func explainFault(id string) (cli.Result, error) {
	f, ok := integrity.Lookup(faultIDOf(id))
	if !ok {
		return nil, unknownFault(id)
	}
	return &faultPage{Fault: f}, nil
}

// faultIDOf returns a fault id in the case of its fault, however it is typed: p04B is P04b.
func faultIDOf(typed string) integrity.FaultID {
	for _, id := range faultIDs() {
		if strings.EqualFold(id, typed) {
			return integrity.FaultID(id)
		}
	}
	return integrity.FaultID(strings.ToUpper(typed))
}

// unknownFault refuses an id that no fault has.
func unknownFault(id string) error {
	return cli.UsageErrorf("there is no fault %q%s; lcm-tui doctor --list lists all faults", id, cli.DidYouMean(string(faultIDOf(id)), "", faultIDs()))
}

func (f *faultPage) Print(p *cli.Printer) {
	p.Line(p.Styles.Title.Render(string(f.ID)+"  "+f.Title) + "  " + severe(p, f.Severity, string(f.Severity)))
	for _, section := range []struct{ name, text string }{
		{"symptom", f.Symptom.Title()},
		{"what it means", f.Meaning},
		{"cause", f.Cause},
		{"how it is detected", f.Detection},
		{"expected", f.Expected},
		{"repair", repairKinds[f.RepairKind] + ": " + f.Repair},
		{"since", "files of " + f.Since},
	} {
		p.Line("")
		p.Muted(section.name)
		p.Block(wrapText(section.text, p.Width))
	}
	if len(f.Choices) > 0 {
		p.Line("")
		p.Muted("choices, for lcm-tui repair --choose " + string(f.ID) + ":ROW=CHOICE")
		for _, c := range f.Choices {
			p.Line("  " + ui.Pad(c.Word, 8) + " " + c.Meaning)
		}
	}
}

// repairKinds say who decides a repair.
var repairKinds = map[integrity.RepairKind]string{
	integrity.ByRule:   "automatic",
	integrity.ByModel:  "a model writes a new text",
	integrity.ByChoice: "after your choice",
	integrity.NoRepair: "not by lcm-tui",
}

// wrapText returns text in indented lines of at most width cells, or 88.
func wrapText(text string, width int) string {
	if width == 0 || width > 88 {
		width = 88
	}
	lines := strings.Split(ansi.Wrap(text, width-2, ""), "\n")
	return "  " + strings.Join(lines, "\n  ")
}

func (l *faultPages) Print(p *cli.Printer) {
	rows := make([][]string, len(l.Faults))
	for i, f := range l.Faults {
		rows[i] = []string{string(f.ID), severe(p, f.Severity, string(f.Severity)), string(f.RepairKind), f.Title}
	}
	p.Table([]cli.Column{
		{Title: "id"},
		{Title: "severity"},
		{Title: "repair", Style: p.Styles.Muted, Spare: true},
		{Title: "fault", Grows: true},
	}, rows)
	p.Muted("lcm-tui doctor --explain ID explains a fault · " + plural.Count(len(rows), "fault", "faults"))
}

// faultList is a flag that takes fault ids, or the letters of their areas.
type faultList struct{ ids []integrity.FaultID }

func (*faultList) Repeats() {}

// String implements pflag.Value.
func (l *faultList) String() string {
	ids := make([]string, len(l.ids))
	for i, id := range l.ids {
		ids[i] = string(id)
	}
	return strings.Join(ids, ",")
}

// Type implements pflag.Value; help shows it.
func (l *faultList) Type() string { return "IDS" }

// Set implements pflag.Value.
func (l *faultList) Set(s string) error {
	for typed := range strings.SplitSeq(s, ",") {
		word := string(faultIDOf(strings.TrimSpace(typed)))
		n := len(l.ids)
		for _, id := range faultIDs() {
			if id == word || len(word) == 1 && strings.HasPrefix(id, word) {
				l.ids = append(l.ids, integrity.FaultID(id))
			}
		}
		if len(l.ids) == n {
			return unknownFault(word)
		}
	}
	return nil
}

func faultIDs() (out []string) {
	for _, f := range integrity.Faults() {
		out = append(out, string(f.ID))
	}
	return out
}

// completeFaults completes the last of several fault ids.
func completeFaults(_ *cobra.Command, _ []string, begun string) (out []string, _ cobra.ShellCompDirective) {
	before := begun[:strings.LastIndex(begun, ",")+1]
	for _, f := range integrity.Faults() {
		id := string(f.ID)
		if strings.HasPrefix(strings.ToUpper(id), strings.ToUpper(begun[len(before):])) && !strings.Contains(before, id) {
			out = append(out, cli.DescribeCompletion(before+id, f.Title))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
