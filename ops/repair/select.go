package repair

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/engine/integrity"
	"lcm-tui/ops"
)

// Key names a finding within its conversation, by its fault and row: C02:14.
func Key(f integrity.Finding) string { return string(f.Fault) + ":" + f.Row }

// ID names a finding within the file, by its conversation and Key: 12/C02:14.
func ID(f integrity.Finding) string { return fmt.Sprintf("%d/%s", f.Conversation, Key(f)) }

// names reports whether a name of a request means a finding: its ID, its Key, or its fault.
func names(name string, f integrity.Finding) bool {
	return name == Key(f) || name == ID(f) || name == string(f.Fault)
}

// faultOf is the fault in the name of a finding.
func faultOf(name string) integrity.FaultID {
	if _, key, ok := strings.Cut(name, "/"); ok {
		name = key
	}
	fault, _, _ := strings.Cut(name, ":")
	return integrity.FaultID(fault)
}

// wants reports whether a finding is to be repaired if it can be.
func (o *Op) wants(f integrity.Finding) bool {
	if o.Choices[Key(f)] != "" || o.Choices[ID(f)] != "" {
		return true // Named by itself.
	}
	if len(o.Findings) > 0 {
		return slices.ContainsFunc(o.Findings, func(name string) bool { return names(name, f) })
	}
	if len(o.Summaries) > 0 && !slices.ContainsFunc(o.Summaries, f.Concerns) {
		return false
	}
	if o.chosen(f) != "" {
		return true
	}
	if o.Faults != nil {
		// A reference that leads nowhere is an item of a context, or a link.
		nowhere := slices.Contains([]integrity.FaultID{integrity.ContextItemDangling, integrity.LinkDangling}, f.Fault) && slices.Contains(o.Faults, integrity.ReferenceDangling)
		return nowhere || slices.Contains(o.Faults, f.Fault)
	}
	fault, _ := integrity.Lookup(f.Fault)
	// A finding that is milder than its kind is one that the rows explain.
	mild := f.Severity == integrity.Info && fault.Severity != integrity.Info
	return !mild && !fault.OnRequest
}

// skips reports whether the user leaves a finding as it is. A skipped summary keeps its text,
// and is repaired in all else.
func (o *Op) skips(f integrity.Finding) bool {
	if o.Skip[ID(f)] || o.Skip[Key(f)] || o.Skip[string(f.Fault)] {
		return true
	}
	return slices.Contains(withText, f.Fault) &&
		(o.Skip[f.Row] || slices.ContainsFunc(f.Rows, func(row string) bool { return o.Skip[row] }))
}

// chosen is what the user chose for a finding, by itself or with all of its fault.
func (o *Op) chosen(f integrity.Finding) string {
	return cmp.Or(o.Choices[ID(f)], o.Choices[Key(f)], o.Choices[string(f.Fault)])
}

// choice is what was chosen for a finding, or empty: then it is left, and told of.
func (d *draft) choice(f integrity.Finding) string {
	c := d.op.chosen(f)
	if c == "" {
		d.leave(f, "you have to choose: "+either(f.Kind().Words()))
		return ""
	}
	if c == integrity.Keep {
		return ""
	}
	return c
}

// namesFinding reports whether the request names a finding or its fault.
func (o *Op) namesFinding(f integrity.Finding) bool {
	return slices.Contains(o.Faults, f.Fault) || o.chosen(f) != "" ||
		slices.ContainsFunc(o.Findings, func(name string) bool { return names(name, f) })
}

// leave notes why a finding isn't repaired.
func (d *draft) leave(f integrity.Finding, why string) {
	o := d.outcome(f)
	if f.Severity == integrity.Info && !d.op.namesFinding(f) {
		o.quiet = true
		return
	}
	o.wanted, o.reason = true, why
	if key := strings.Join([]string{Key(f), f.Table, why}, "\x00"); !d.told[key] {
		d.told[key] = true
		d.left = append(d.left, leftover{f, why})
	}
}

// tell notes what the user should know of what isn't repaired, beside single findings.
func (d *draft) tell(why string) { d.left = append(d.left, leftover{why: why}) }

// finding is a finding that shows only once other faults are repaired.
func (d *draft) finding(fault integrity.FaultID, table, row, detail string) integrity.Finding {
	page, _ := integrity.Lookup(fault)
	return integrity.Finding{
		Fault: fault, Severity: page.Severity, Conversation: d.op.Conversation, Table: table, Row: row, Detail: detail, Repair: page.Repair,
	}
}

// leftover is a finding that isn't repaired, and why. Without a fault it is about the
// whole repair.
type leftover struct {
	integrity.Finding
	why string
}

// mostAlike is how many findings of a fault that are left for one reason are told of
// one by one.
const mostAlike = 5

// told are leftovers in words, many of one kind as one.
func told(left []leftover) (out []string) {
	alike := map[[2]string]int{}
	for _, l := range left {
		alike[[2]string{string(l.Fault), reason(l)}]++
	}
	for _, l := range left {
		kind := [2]string{string(l.Fault), reason(l)}
		switch n := alike[kind]; {
		case l.Fault == "":
			out = append(out, l.why)
		case n > mostAlike:
			out = append(out, fmt.Sprintf("%s (%s, the first is %s): %s", ops.Count(n, nouns[l.Fault][0], nouns[l.Fault][1]), l.Fault, rowName(l.Table, l.Row), l.why))
			alike[kind] = 0
		case n > 0:
			out = append(out, fmt.Sprintf("%s (%s): %s", problem(l.Finding), Key(l.Finding), l.why))
		}
	}
	return out
}

// reason is why, without the row that a choice names.
func reason(l leftover) string { return strings.ReplaceAll(l.why, Key(l.Finding), string(l.Fault)) }

// done counts a finding that is repaired.
func (d *draft) done(f integrity.Finding) {
	d.mended[f.Fault]++
	d.outcome(f).repaired = true
}

// take are the findings of a fault that are to be mended.
func (d *draft) take(fault integrity.FaultID) []integrity.Finding { return d.found[fault] }

// has reports whether there are any of one of the faults.
func (d *draft) has(faults ...integrity.FaultID) bool {
	return slices.ContainsFunc(faults, func(id integrity.FaultID) bool { return len(d.found[id]) > 0 })
}

// all counts the findings of these faults as mended.
func (d *draft) all(faults ...integrity.FaultID) {
	for _, id := range faults {
		for _, f := range d.found[id] {
			d.done(f)
		}
	}
}
