package repair

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/engine/integrity"
)

// Key names a finding within its conversation, by its fault and row: C02:14.
func Key(f integrity.Finding) string { return string(f.Fault) + ":" + f.Row }

// ID names a finding within the file, by its conversation and Key: 12/C02:14.
func ID(f integrity.Finding) string { return strconv.FormatInt(f.Conversation, 10) + "/" + Key(f) }

// names reports whether a name of a request means a finding: its ID, its Key, or its fault.
func names(name string, f integrity.Finding) bool {
	return name == Key(f) || name == ID(f) || name == string(f.Fault)
}

// faultOf returns the fault in the name of a finding.
func faultOf(name string) integrity.FaultID {
	if _, key, ok := strings.Cut(name, "/"); ok {
		name = key
	}
	fault, _, _ := strings.Cut(name, ":")
	return integrity.FaultID(fault)
}

// asReference returns a finding as the one of SQLite's own check: a reference that leads nowhere is an item of a
// context, or a link. Another finding stays as it is.
func asReference(f integrity.Finding) integrity.Finding {
	if f.Fault == integrity.ContextItemDangling || f.Fault == integrity.LinkDangling {
		f.Fault = integrity.ReferenceDangling
	}
	return f
}

// wants reports whether a finding is to be repaired if it can be.
func (o *Op) wants(f integrity.Finding) bool {
	if len(o.Choices) > 0 && (o.Choices[Key(f)] != "" || o.Choices[ID(f)] != "") {
		return true // Named by itself.
	}
	if len(o.Findings) > 0 {
		return slices.ContainsFunc(o.Findings, func(name string) bool { return names(name, f) || names(name, asReference(f)) })
	}
	if len(o.Summaries) > 0 && !slices.ContainsFunc(o.Summaries, f.Concerns) {
		return false
	}
	if o.chosen(f) != "" {
		return true
	}
	if o.Faults != nil {
		return slices.Contains(o.Faults, f.Fault) || slices.Contains(o.Faults, asReference(f).Fault)
	}
	fault, _ := integrity.Lookup(f.Fault)
	// A finding that is milder than its kind is one that the rows explain.
	mild := f.Severity == integrity.Info && fault.Severity != integrity.Info
	return !mild && !fault.OnRequest
}

// skips reports whether the user leaves a finding as it is. A skipped summary keeps its text,
// and is repaired in all else.
func (o *Op) skips(f integrity.Finding) bool {
	if len(o.Skip) == 0 {
		return false
	}
	if o.Skip[ID(f)] || o.Skip[Key(f)] || o.Skip[string(f.Fault)] {
		return true
	}
	return slices.Contains(withText, f.Fault) &&
		(o.Skip[f.Row] || slices.ContainsFunc(f.Rows, func(row string) bool { return o.Skip[row] }))
}

// chosen returns what the user chose for a finding, by itself or with all of its fault.
func (o *Op) chosen(f integrity.Finding) string {
	if len(o.Choices) == 0 {
		return ""
	}
	return cmp.Or(o.Choices[ID(f)], o.Choices[Key(f)], o.Choices[string(f.Fault)])
}

// namesFinding reports whether the request names a finding or its fault.
func (o *Op) namesFinding(f integrity.Finding) bool {
	return slices.Contains(o.Faults, f.Fault) || o.chosen(f) != "" ||
		slices.ContainsFunc(o.Findings, func(name string) bool { return names(name, f) })
}
