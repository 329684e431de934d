package cli

import (
	"strings"

	"lcm-tui/engine/integrity"
	"lcm-tui/ui"
)

// diagnosis is the result of doctor.
type diagnosis struct {
	integrity.Diagnosis
	caveats
	conv int64
}

func (d *diagnosis) text(p *page) {
	for _, f := range d.Findings {
		p.linef("%s %s %s %s: %s", f.Fault, f.Severity, f.Table, ui.Line(f.Row), ui.Line(f.Detail))
	}
}

// faultPages is the result of doctor --list and --explain.
type faultPages struct {
	Faults []integrity.Fault `json:"faults"`
	caveats
}

// explained is the page of one fault.
func explained(id string) (result, error) {
	f, ok := integrity.Lookup(strings.ToUpper(id))
	if !ok {
		return nil, misused("there is no fault %q%s; lcm-tui doctor --list names them", id, perhaps(strings.ToUpper(id), "", faultIDs()))
	}
	return &faultPage{Fault: f}, nil
}

// faultPage is the page of one fault.
type faultPage struct {
	integrity.Fault
	caveats
}

func (f *faultPage) text(p *page) { p.line(f.Title) }

func (l *faultPages) text(p *page) {
	rows := make([][]string, len(l.Faults))
	for i, f := range l.Faults {
		rows[i] = []string{f.ID, string(f.Severity), string(f.Mending), f.Title}
	}
	p.table([]column{{title: "id"}, {title: "severity"}, {title: "mending", spare: true}, {title: "what", grows: true}}, rows)
}
