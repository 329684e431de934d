package repair

import (
	"fmt"
	"slices"
	"strings"

	"lcm-tui/engine/integrity"
)

// Key names a finding for a choice: its fault and row, as in C02:14.
func Key(f integrity.Finding) string { return string(f.Fault) + ":" + f.Row }

// wanted reports whether a finding is to be mended if it can be.
func (o *Op) wanted(f integrity.Finding) bool {
	if o.Choices[Key(f)] != "" {
		return true // Named by itself.
	}
	if len(o.Summaries) > 0 && !slices.ContainsFunc(o.Summaries, f.Concerns) {
		return false
	}
	if o.chosen(f) != "" {
		return true
	}
	if o.Faults != nil {
		// A reference that leads nowhere is a place of a context, or a link.
		nowhere := slices.Contains([]integrity.FaultID{integrity.ContextItemDangling, integrity.LinkDangling}, f.Fault) && slices.Contains(o.Faults, integrity.ReferenceDangling)
		return nowhere || slices.Contains(o.Faults, f.Fault)
	}
	page, _ := integrity.Lookup(f.Fault)
	// A finding that is milder than its kind is one that the rows explain.
	mild := f.Severity == integrity.Info && page.Severity != integrity.Info
	return !mild && !page.OnRequest
}

// chosen is what the user chose for a finding, by itself or with all of its fault.
func (o *Op) chosen(f integrity.Finding) string {
	if c := o.Choices[Key(f)]; c != "" {
		return c
	}
	return o.Choices[string(f.Fault)]
}

// choice is what was chosen for a finding, or empty: then it is left, and told of.
func (d *draft) choice(f integrity.Finding) string {
	c := d.op.chosen(f)
	if c == "" {
		d.leave(f, "choose with --choose "+Key(f)+"="+strings.Join(f.Kind().Words(), "|"))
		return ""
	}
	if c == integrity.Keep {
		return ""
	}
	return c
}

// leave notes why a finding isn't mended.
func (d *draft) leave(f integrity.Finding, why string) {
	if f.Severity == integrity.Info && !slices.Contains(d.op.Faults, f.Fault) && d.op.chosen(f) == "" {
		return // Nobody needs to be told.
	}
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
			out = append(out, fmt.Sprintf("%s ×%d (first %s %s): %s", l.Fault, n, l.Table, l.Row, l.why))
			alike[kind] = 0
		case n > 0:
			out = append(out, fmt.Sprintf("%s %s %s (%s): %s", l.Fault, l.Table, l.Row, l.Detail, l.why))
		}
	}
	return out
}

// reason is why, without the row that a choice names.
func reason(l leftover) string { return strings.ReplaceAll(l.why, Key(l.Finding), string(l.Fault)) }

// done counts a finding that is mended.
func (d *draft) done(f integrity.Finding) { d.mended[f.Fault]++ }

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
