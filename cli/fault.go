package cli

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"lcm-tui/engine/integrity"
	"lcm-tui/ui"
)

// faultPages is the result of doctor --list.
type faultPages struct {
	Faults []integrity.Fault `json:"faults"`
	caveats
}

// faultPage is the result of doctor --explain.
type faultPage struct {
	integrity.Fault
	caveats
}

// explained is the page of one fault.
func explained(id string) (result, error) {
	f, ok := integrity.Lookup(integrity.FaultID(strings.ToUpper(id)))
	if !ok {
		return nil, noFault(id)
	}
	return &faultPage{Fault: f}, nil
}

func noFault(id string) error {
	return misused("there is no fault %q%s; lcm-tui doctor --list names them", id, perhaps(strings.ToUpper(id), "", faultIDs()))
}

func (f *faultPage) text(p *page) {
	p.line(p.styles.Title.Render(string(f.ID)+"  "+f.Title) + "  " + severe(p, f.Severity, string(f.Severity)))
	for _, part := range []struct{ name, text string }{
		{"what it means", f.Meaning},
		{"how it comes", f.Cause},
		{"how it's found", f.Detection},
		{"healthy is", f.Expected},
		{"mending", mendings[f.RepairKind] + ": " + f.Repair},
		{"since", "files of " + f.Since},
	} {
		p.line("")
		p.muted(part.name)
		p.block(wrapped(part.text, p.width))
	}
}

// mendings say who can mend.
var mendings = map[integrity.RepairKind]string{
	integrity.ByRule:   "by rule",
	integrity.ByModel:  "a model writes it anew",
	integrity.ByChoice: "after a choice of yours",
	integrity.NoRepair: "none",
}

// wrapped is text in lines that can be read.
func wrapped(text string, width int) string {
	if width == 0 || width > 88 {
		width = 88
	}
	lines := strings.Split(ansi.Wrap(text, width-2, ""), "\n")
	return "  " + strings.Join(lines, "\n  ")
}

func (l *faultPages) text(p *page) {
	rows := make([][]string, len(l.Faults))
	for i, f := range l.Faults {
		rows[i] = []string{string(f.ID), severe(p, f.Severity, string(f.Severity)), string(f.RepairKind), f.Title}
	}
	p.table([]column{
		{title: "id"},
		{title: "severity"},
		{title: "mending", style: p.styles.Muted, spare: true},
		{title: "what", grows: true},
	}, rows)
	p.muted("lcm-tui doctor --explain ID prints a page · " + ui.Count(int64(len(rows)), "fault", "faults"))
}

// faultList is a flag that takes fault ids, or the letters of their groups.
type faultList struct{ ids []integrity.FaultID }

func (*faultList) repeats() {}

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
	for word := range strings.SplitSeq(strings.ToUpper(s), ",") {
		word = strings.TrimSpace(word)
		n := len(l.ids)
		for _, id := range faultIDs() {
			if id == word || len(word) == 1 && strings.HasPrefix(id, word) {
				l.ids = append(l.ids, integrity.FaultID(id))
			}
		}
		if len(l.ids) == n {
			return noFault(word)
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

// completeFaults completes the last of several ids.
func completeFaults(_ *cobra.Command, _ []string, begun string) (out []string, _ cobra.ShellCompDirective) {
	before := begun[:strings.LastIndex(begun, ",")+1]
	for _, f := range integrity.Faults() {
		id := string(f.ID)
		if strings.HasPrefix(id, strings.ToUpper(begun[len(before):])) && !strings.Contains(before, id) {
			out = append(out, described(before+id, f.Title))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
