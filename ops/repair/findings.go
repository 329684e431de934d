package repair

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/engine/integrity"
)

// findings are what a check found, and what becomes of each finding.
type findings struct {
	op       *Op
	listed   []integrity.Finding                       // All of them.
	open     map[integrity.FaultID][]integrity.Finding // Those that the stages repair.
	repaired map[integrity.FaultID]int                 // How many are repaired.
	left     []leftover
	outcomes map[string]*outcome // By ID and table of the finding.
	// excluded are the rows of findings that stay, by excludedKey.
	excluded map[string]bool
}

// outcome is what became of a finding.
type outcome struct {
	wanted   bool   // The request is about it.
	repaired bool   // The plan repairs it.
	quiet    bool   // It stays, and nobody has to know: it does no damage.
	reason   string // Why it stays.
	reasons  []string
}

// leftover is a finding that isn't repaired, and why. Without a fault it is about the
// whole repair.
type leftover struct {
	integrity.Finding
	why string
}

// newFindings sorts what was found into what the stages repair and what stays.
func newFindings(o *Op, found []integrity.Finding) *findings {
	x := &findings{
		op: o, listed: found, open: map[integrity.FaultID][]integrity.Finding{}, repaired: map[integrity.FaultID]int{},
		outcomes: map[string]*outcome{}, excluded: map[string]bool{},
	}
	for _, f := range found {
		if !o.wants(f) {
			continue
		}
		x.outcome(f).wanted = true
		fault := f.Kind()
		switch {
		case o.skips(f):
		case fault.RepairKind == integrity.NoRepair:
			x.leave(f, cmp.Or(f.Repair, fault.Repair)) // The finding may know more of what to do.
		case fault.Operation != "":
			x.leave(f, "lcm-tui "+fault.Operation+" repairs it: "+fault.Repair)
		default:
			x.open[f.Fault] = append(x.open[f.Fault], f)
		}
	}
	x.exclude()
	return x
}

// excludable are the faults whose repair goes over a whole context or graph, and has to pass
// over the rows of findings that stay.
var excludable = []integrity.FaultID{
	integrity.ContextItemDangling, integrity.ContextItemDuplicate, integrity.CoveredMessageInContext, integrity.CoveredSummaryInContext,
	integrity.LinkDangling, integrity.SummaryCycle,
}

// exclude notes the rows of findings that stay. A row that another finding names which is
// repaired is none of them.
func (x *findings) exclude() {
	open := map[string]bool{}
	for _, fault := range excludable {
		for _, f := range x.open[fault] {
			open[ID(f)+f.Table] = true
		}
	}
	var repaired []string
	for _, f := range x.listed {
		switch {
		case !slices.Contains(excludable, f.Fault):
		case open[ID(f)+f.Table]:
			repaired = append(repaired, rowKey(f))
		default:
			x.excluded[rowKey(f)] = true
		}
	}
	for _, key := range repaired {
		delete(x.excluded, key)
	}
}

// rowKey names the row of an excludable finding.
func rowKey(f integrity.Finding) string {
	switch {
	case f.Fault == integrity.SummaryCycle:
		return excludedKey("cycle", f.Row)
	case f.Fault == integrity.LinkDangling && len(f.Rows) == 2:
		return excludedKey(f.Table, f.Rows...)
	}
	return excludedKey(f.Table, f.Row)
}

// excludedKey names a row by its table and key.
func excludedKey(table string, key ...string) string {
	return table + "\x00" + strings.Join(key, "\x00")
}

// excludes reports whether a row has a finding that is not repaired, so that no stage may
// repair it by the way.
func (x *findings) excludes(table string, key ...string) bool {
	return x.excluded[excludedKey(table, key...)]
}

// outcome returns what became of a finding until now.
func (x *findings) outcome(f integrity.Finding) *outcome {
	key := ID(f) + "\x00" + f.Table
	if x.outcomes[key] == nil {
		x.outcomes[key] = &outcome{}
	}
	return x.outcomes[key]
}

// of returns the findings of a fault that are to be repaired.
func (x *findings) of(fault integrity.FaultID) []integrity.Finding { return x.open[fault] }

// has reports whether there are any of one of the faults.
func (x *findings) has(faults ...integrity.FaultID) bool {
	return slices.ContainsFunc(faults, func(fault integrity.FaultID) bool { return len(x.open[fault]) > 0 })
}

// rows returns the rows of the findings of a fault.
func (x *findings) rows(fault integrity.FaultID) map[string]bool {
	rows := map[string]bool{}
	for _, f := range x.open[fault] {
		rows[f.Row] = true
	}
	return rows
}

// keepOnly leaves some findings of a fault as the only ones to repair: they make the others
// another matter.
func (x *findings) keepOnly(fault integrity.FaultID, found ...integrity.Finding) {
	x.open = map[integrity.FaultID][]integrity.Finding{fault: found}
}

// add adds a finding that shows only once other faults are repaired.
func (x *findings) add(fault integrity.FaultID, table, row, detail string) {
	kind, _ := integrity.Lookup(fault)
	f := integrity.Finding{
		Fault: fault, Severity: kind.Severity, Conversation: x.op.Conversation, Table: table, Row: row, Detail: detail, Repair: kind.Repair,
	}
	x.listed, x.open[fault] = append(slices.Clip(x.listed), f), append(x.open[fault], f)
	x.outcome(f).wanted = true
}

// markRepaired counts a finding that is repaired.
func (x *findings) markRepaired(f integrity.Finding) {
	x.repaired[f.Fault]++
	x.outcome(f).repaired = true
}

// markAll counts all findings of some faults as repaired.
func (x *findings) markAll(faults ...integrity.FaultID) {
	for _, fault := range faults {
		for _, f := range x.open[fault] {
			x.markRepaired(f)
		}
	}
}

// leave says why a finding isn't repaired.
func (x *findings) leave(f integrity.Finding, why string) {
	o := x.outcome(f)
	if f.Severity == integrity.Info && !x.op.namesFinding(f) {
		o.quiet = true
		return
	}
	o.wanted, o.reason = true, why
	if !slices.Contains(o.reasons, why) {
		o.reasons = append(o.reasons, why)
		x.left = append(x.left, leftover{f, why})
	}
}

// note says what the user should know of what isn't repaired, beside single findings.
func (x *findings) note(why string) { x.left = append(x.left, leftover{why: why}) }

// choice returns what was chosen for a finding. It is empty where nothing was, which leaves the
// finding, and where it is kept as it is.
func (x *findings) choice(f integrity.Finding) string {
	switch c := x.op.chosen(f); c {
	case "":
		x.leave(f, "you have to choose: "+either(f.Kind().Words()))
		return ""
	case integrity.Keep:
		return ""
	default:
		return c
	}
}

// mostAlike is how many findings of a fault that are left for one reason are listed one by
// one.
const mostAlike = 5

// describeLeft says what isn't repaired and why, many findings of one kind as one.
func (x *findings) describeLeft() (out []string) {
	alike := map[[2]string]int{}
	for _, l := range x.left {
		alike[[2]string{string(l.Fault), l.reason()}]++
	}
	for _, l := range x.left {
		kind := [2]string{string(l.Fault), l.reason()}
		switch n := alike[kind]; {
		case l.Fault == "":
			out = append(out, l.why)
		case n > mostAlike:
			out = append(out, fmt.Sprintf("%s (%s, the first is %s): %s",
				l.Kind().Count(n), l.Fault, rowName(l.Table, l.Row), l.why))
			alike[kind] = 0
		case n > 0:
			out = append(out, fmt.Sprintf("%s (%s): %s", problem(l.Finding), Key(l.Finding), l.why))
		}
	}
	return out
}

// reason returns why, without the row that a choice names.
func (l leftover) reason() string { return strings.ReplaceAll(l.why, Key(l.Finding), string(l.Fault)) }
