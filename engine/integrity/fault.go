package integrity

import (
	"slices"

	"lcm-tui/internal/plural"
)

// Fault is the one entry of a kind of damage: what every screen, command and repair knows
// about it.
type Fault struct {
	ID       FaultID   `json:"fault"`
	Title    string    `json:"title"`
	One      string    `json:"-"` // What one finding is, and what several are: "cycle", "cycles".
	Many     string    `json:"-"`
	Symptom  SymptomID `json:"symptom"`
	Severity Severity  `json:"severity"` // A finding may be milder, where the rows explain it, or worse, where the host of the file makes it so.
	Since    string    `json:"since"`    // The first version of the format whose files can have it.
	Scope    Scope     `json:"-"`

	RepairKind RepairKind `json:"repair_kind"`
	OnRequest  bool       `json:"on_request,omitempty"` // It is no damage, and repaired only when it is named.
	Choices    []Choice   `json:"choices,omitempty"`    // What can be chosen for a finding; the first is the default of screens.
	// NeedsText says that the repair may have a model write the text of a summary.
	NeedsText bool `json:"needs_text,omitempty"`
	// Operation is the command that repairs it where that is not repair.
	Operation string `json:"operation,omitempty"`

	Meaning   string `json:"meaning"`   // What the user suffers from.
	Cause     string `json:"cause"`     // How it comes about.
	Detection string `json:"detection"` // What a check looks at.
	Expected  string `json:"expected"`  // How a sound file is, and what only looks like damage.
	Repair    string `json:"repair"`    // What the repair does.
}

// RepairKind says who decides a repair.
type RepairKind string

// The kinds of repair.
const (
	ByRule   RepairKind = "automatic" // The rows decide; nothing is lost.
	ByModel  RepairKind = "model"     // A model has to write a text.
	ByChoice RepairKind = "choice"    // The user has to choose what is right.
	NoRepair RepairKind = "none"      // This file can't be repaired from itself, or needs no repair.
)

// Choice is one of the things that can be done about a finding.
type Choice struct {
	Word    string `json:"choice"` // As it is typed: --choose C02:14=drop.
	Meaning string `json:"meaning"`
}

// Keep is the choice that leaves everything as it is.
const Keep = "keep"

// Words returns the choices of a fault as they are typed; nil where there is nothing to choose.
func (f Fault) Words() (words []string) {
	for _, c := range f.Choices {
		words = append(words, c.Word)
	}
	return words
}

// Count says in words how many findings of the fault there are: "1 cycle", "4 cycles".
func (f Fault) Count(n int) string { return plural.Count(n, f.One, f.Many) }

// IsRepairable reports whether the repair operation can repair the fault: it has a stage
// there.
func (f Fault) IsRepairable() bool { return f.RepairKind != NoRepair && f.Operation == "" }

// Faults returns all faults, by what they are about, then by id.
func Faults() []Fault {
	return slices.Concat(storageFaults, contextFaults, linkFaults, messageFaults, summaryFaults,
		fileFaults, conversationFaults, searchFaults, hostStateFaults, pendingFaults, anchorFaults)
}

// Lookup returns the fault with an id.
func Lookup(id FaultID) (Fault, bool) {
	f, ok := byID[id]
	return f, ok
}

// Select returns the ids of the faults for which a condition holds, in the order of Faults.
func Select(holds func(Fault) bool) (ids []FaultID) {
	for _, f := range Faults() {
		if holds(f) {
			ids = append(ids, f.ID)
		}
	}
	return ids
}

var byID = func() map[FaultID]Fault {
	m := map[FaultID]Fault{}
	for _, f := range Faults() {
		m[f.ID] = f
	}
	return m
}()

// Scope is how much of a file has to be read to detect a fault.
type Scope int

// The scopes, the smallest first.
const (
	FileScope      Scope = iota // What all conversations share; no conversation is looked at by itself.
	StructureScope              // The context, summaries and notes of each conversation.
	ContentScope                // Its messages and their parts too.
)

// Severity says how bad a fault is.
type Severity string

// The severities, worst first.
const (
	Fatal Severity = "fatal" // The host can't work with the file, or never returns from it.
	Error Severity = "error" // Memory is lost, duplicated or wrong.
	Warn  Severity = "warn"  // Something is wrong that may do damage.
	Info  Severity = "info"  // Good to know; no damage.
)

// Severities returns all severities, worst first.
func Severities() []Severity { return []Severity{Fatal, Error, Warn, Info} }

// AtLeast reports whether s is as bad as o, or worse.
func (s Severity) AtLeast(o Severity) bool { return s.rank() <= o.rank() }

// rank returns the place of a severity among all; 0 is the worst.
func (s Severity) rank() int { return slices.Index(Severities(), s) }

// Worst returns the worst severity among findings, or Info.
func Worst(list []Finding) Severity {
	worst := Info
	for _, f := range list {
		if f.Severity.AtLeast(worst) {
			worst = f.Severity
		}
	}
	return worst
}
