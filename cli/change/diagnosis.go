package change

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lcm-tui/cli"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// diagnosis is the result of doctor.
type diagnosis struct {
	integrity.Diagnosis
	cli.NextPage
	cli.WarningList
	path          string
	conv          int64 // 0: the file.
	conversations []lcm.Conversation
	whole         bool // Show all findings of each fault.
	hidden        int  // How many findings are too mild to be shown.
}

// maxRows is how many findings of a fault are shown where not all are asked for.
const maxRows = 5

func (d *diagnosis) Print(p *cli.Printer) {
	what := ui.Line(filepath.Base(d.path))
	if d.conv != 0 {
		what = fmt.Sprintf("conversation %d of %s", d.conv, what)
	}
	if len(d.Findings) == 0 {
		p.Line(cli.Styled(p.Styles.Good, "✓") + " nothing found in " + what + d.milder())
		return
	}
	p.Line(what + ": " + d.tally(p) + d.milder())
	for _, group := range d.BySymptom() {
		p.Line("")
		p.Title(group.Symptom.Title)
		for _, f := range group.Faults {
			d.fault(p, f)
		}
	}
	p.Line("")
	d.More(p)
	p.Muted("lcm-tui doctor --explain ID explains a fault; nothing was changed")
}

// milder says how many findings are not shown.
func (d *diagnosis) milder() string {
	if d.hidden == 0 {
		return ""
	}
	return "; " + plural.Count(d.hidden, "milder finding is not shown", "milder findings are not shown")
}

// tally returns how many findings of each severity there are.
func (d *diagnosis) tally(p *cli.Printer) string {
	var out []string
	for _, s := range integrity.Severities() {
		if n := d.Counts.Of(s); n > 0 {
			out = append(out, severe(p, s, plural.Count(n, severityNouns[s][0], severityNouns[s][1])))
		}
	}
	return strings.Join(out, ", ")
}

// severityNouns are the severities as they are counted, one and many.
var severityNouns = map[integrity.Severity][2]string{
	integrity.Fatal: {"fatal", "fatal"},
	integrity.Error: {"error", "errors"},
	integrity.Warn:  {"warning", "warnings"},
	integrity.Info:  {"note", "notes"},
}

// severe returns text in the colour of a severity.
func severe(p *cli.Printer, s integrity.Severity, text string) string {
	switch s {
	case integrity.Fatal, integrity.Error:
		return cli.Styled(p.Styles.Bad, text)
	case integrity.Warn:
		return cli.Styled(p.Styles.Warn, text)
	}
	return cli.Styled(p.Styles.Muted, text)
}

// severitySigns stand before a fault, so that color isn't the only information.
var severitySigns = map[integrity.Severity]string{integrity.Fatal: "!", integrity.Error: "!", integrity.Warn: "~", integrity.Info: "·"}

// fault prints the findings of one fault, and the command that repairs them.
func (d *diagnosis) fault(p *cli.Printer, found integrity.FaultFindings) {
	worst, list := integrity.Worst(found.Findings), found.Findings
	p.Linef("  %s %s %s  %s  %s", severe(p, worst, severitySigns[worst]), found.Fault.ID, severe(p, worst, ui.Pad(string(worst), 5)), found.Fault.Title,
		cli.Styled(p.Styles.Muted, "×"+ui.Num(int64(len(list)))))
	for i, f := range list {
		if i == maxRows && !d.whole && len(list) > maxRows+1 {
			p.Muted(fmt.Sprintf("      … %s more; --fault %s shows all", ui.Num(int64(len(list)-i)), found.Fault.ID))
			break
		}
		p.Line("      " + d.place(p, f) + "  " + ui.LineN(f.Detail, 400))
	}
	if next := d.repairLine(found); next != "" {
		p.Line("      → " + cli.Styled(p.Styles.Accent, next))
	}
}

// place returns the row of a finding, for people.
func (d *diagnosis) place(p *cli.Printer, f integrity.Finding) string {
	where := ui.LineN(f.Row, 40)
	switch f.Table {
	case "messages":
		where = "message " + where
	case "context_items":
		where = "context item " + where
	case "conversations":
		return d.conversation(p, f)
	}
	if d.conv == 0 && f.Conversation != 0 {
		where = cli.Styled(p.Styles.Muted, fmt.Sprintf("in %d ", f.Conversation)) + where
	}
	return where
}

// conversation returns a conversation with its name and its dates, by which people know it.
func (d *diagnosis) conversation(p *cli.Printer, f integrity.Finding) string {
	where := "conversation " + ui.LineN(f.Row, 40)
	for _, c := range d.conversations {
		if c.ID == f.Conversation {
			where += cli.Styled(p.Styles.Muted, fmt.Sprintf("  %s, %s", ui.LineN(c.Name(), 40), dates(c)))
		}
	}
	return where
}

// dates returns the days on which a conversation was created and last changed.
func dates(c lcm.Conversation) string {
	from, to := c.CreatedAt.Format(time.DateOnly), c.UpdatedAt.Format(time.DateOnly)
	if from == to || !c.UpdatedAt.Valid() {
		return from
	}
	return from + " to " + to
}

// repairLine returns the command that repairs the findings of a fault, as it is typed. It is
// empty where none does. Rows may name a conversation that doesn't exist; only a repair of the whole
// file gets to them.
func (d *diagnosis) repairLine(found integrity.FaultFindings) string {
	fault := found.Fault
	list := slices.DeleteFunc(slices.Clone(found.Findings), func(f integrity.Finding) bool { return f.Unrepairable })
	if len(list) == 0 || integrity.Worst(list) == integrity.Info || fault.RepairKind == integrity.NoRepair {
		return ""
	}
	scope := "--all"
	if conv := list[0].Conversation; d.exists(conv) && inOneConversation(list) {
		scope = fmt.Sprint(conv)
	}
	switch fault.Operation {
	case "salvage":
		return "lcm-tui salvage DAMAGED NEW"
	case "secrets":
		return "lcm-tui secrets"
	case "compact":
		return "lcm-tui compact " + fmt.Sprint(list[0].Conversation)
	}
	return "lcm-tui repair " + scope + " --fault " + string(fault.ID)
}

// exists reports whether the file has a conversation.
func (d *diagnosis) exists(id int64) bool {
	return id != 0 && (id == d.conv || slices.ContainsFunc(d.conversations, func(c lcm.Conversation) bool { return c.ID == id }))
}

// inOneConversation reports whether all findings are of one conversation.
func inOneConversation(list []integrity.Finding) bool {
	return !slices.ContainsFunc(list, func(f integrity.Finding) bool { return f.Conversation != list[0].Conversation })
}
