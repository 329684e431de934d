package repair

import (
	"fmt"
	"slices"
	"strings"

	"lcm-tui/engine/integrity"
)

// onRequest are faults that are harmless, and mended only when named.
var onRequest = []integrity.FaultID{integrity.ContextOrdinalGaps, integrity.SummaryCapped}

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
	return !mild && !slices.Contains(onRequest, f.Fault)
}

// chosen is what the user chose for a finding, by itself or with all of its fault.
func (o *Op) chosen(f integrity.Finding) string {
	if c := o.Choices[Key(f)]; c != "" {
		return c
	}
	return o.Choices[string(f.Fault)]
}

// alternatives are what can be chosen for the findings of a fault; the first is what
// the finder would do.
var alternatives = map[integrity.FaultID][]string{
	integrity.ContextItemForeign:        {"drop", "keep"},
	integrity.LinkAcrossConversations:   {"unlink", "keep"},
	integrity.SummaryUnreferenced:       {"keep", "place", "drop"},
	integrity.CompactionLeftover:        {"drop", "keep"},
	integrity.MessageInSeveralLeaves:    {"first", "keep"},
	integrity.SummaryInSeveralSummaries: {"first", "keep"},
	integrity.MessageDuplicate:          {"drop", "keep"},
	integrity.MessageRunDuplicate:       {"drop", "keep"},
	integrity.TranscriptEntryDuplicate:  {"drop", "keep"},
	integrity.ToolResultDuplicate:       {"drop", "keep"},
	integrity.SummaryDuplicate:          {"drop", "keep"},
	integrity.SessionKeyDuplicate:       {"archive", "keep"},
	integrity.SessionIDDuplicate:        {"archive", "keep"},
	integrity.HistorySplit:              {"merge", "keep"},
	integrity.ConversationSilent:        {"archive", "keep"},
	integrity.JobConversation:           {"archive", "delete", "keep"},
	integrity.ConversationEmpty:         {"delete", "archive", "keep"},
	integrity.FileUnreferenced:          {"forget", "keep"},
	integrity.TranscriptShared:          {"drop", "keep"},
	integrity.CompactionFailing:         {"clear", "keep"},
}

// Alternatives are what can be chosen for a finding, or none.
func Alternatives(f integrity.Finding) []string { return alternatives[f.Fault] }

// Keep is the alternative that leaves everything as it is.
const Keep = "keep"

// Means says what an alternative does, in words.
func Means(fault integrity.FaultID, alternative string) string {
	if m, ok := means[string(fault)+alternative]; ok {
		return m
	}
	return means[alternative]
}

var means = map[string]string{
	Keep:         "leave everything as it is",
	"archive":    "archive this one; the other goes on",
	"clear":      "forget the failures, so that the host tries again at once",
	"delete":     "delete it with all that belongs to it, but for files on disk",
	"forget":     "delete the row; the file stays on disk",
	"drop":       "the later one leaves the context; where the conversation is over its row is deleted, and a summary that covers it covers the first instead",
	"first":      "the oldest keeps it, the others lose the link",
	"merge":      "bring its messages, summaries and context into the one that goes on, in the order of time",
	"place":      "put it back into the context, where its time is",
	"unlink":     "take the link away",
	"A02drop":    "this one no longer follows the transcript; the other goes on",
	"C02drop":    "take it out of this context; the row stays where it belongs",
	"L08drop":    "delete it and its text",
	"L09drop":    "delete it and its text; what it was made of stands in the context",
	"L09keep":    "leave it: it can still be found",
	"M02drop":    "the later stretch leaves the context; where the conversation is over its rows are deleted, but for what a summary covers",
	"Q07drop":    "delete the one that nothing leads to",
	"L08keep":    "leave it: it can still be found",
	"V05archive": "archive it: it can still be read",
	"V06archive": "archive it: it can still be read",
	"V07archive": "archive it",
}

// choice is what was chosen for a finding, or empty: then it is left, and told of.
func (d *draft) choice(f integrity.Finding) string {
	c := d.op.chosen(f)
	if c == "" {
		d.leave(f, "choose with --choose "+Key(f)+"="+strings.Join(Alternatives(f), "|"))
		return ""
	}
	if c == Keep {
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
		Fault: fault, Severity: page.Severity, Conversation: d.op.Conversation, Table: table, Row: row, Detail: detail, Repair: page.Remedy,
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
