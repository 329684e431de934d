package integrity

import "slices"

// Severity says how bad a fault is.
type Severity string

// The severities, worst first.
const (
	Fatal Severity = "fatal" // The host can't work with the file, or hangs on it.
	Error Severity = "error" // Memory is lost, doubled or wrong.
	Warn  Severity = "warn"  // Something is amiss that may do harm.
	Info  Severity = "info"  // Good to know; no damage.
)

// Severities are all severities, worst first.
func Severities() []Severity { return []Severity{Fatal, Error, Warn, Info} }

// AtLeast reports whether s is as bad as o, or worse.
func (s Severity) AtLeast(o Severity) bool {
	return slices.Index(Severities(), s) <= slices.Index(Severities(), o)
}

// Mending says who can mend a fault.
type Mending string

// The ways of mending.
const (
	Automatic Mending = "automatic" // By rule, without losing anything.
	ByModel   Mending = "model"     // A model has to write text anew.
	ByChoice  Mending = "choice"    // The user has to choose what is right.
	Unmended  Mending = "none"      // Not in this file, or it needs no mending.
)

// Fault is one page of the catalogue.
type Fault struct {
	ID        FaultID  `json:"fault"`
	Title     string   `json:"title"`
	Severity  Severity `json:"severity"` // A finding may be milder, where the rows speak for it.
	Mending   Mending  `json:"mending"`
	Since     string   `json:"since"`     // The first level of the format whose files can have it.
	Meaning   string   `json:"meaning"`   // What the user suffers from.
	Evidence  string   `json:"evidence"`  // How it comes about.
	Detection string   `json:"detection"` // What a check looks at.
	Healthy   string   `json:"healthy"`   // How it is when all is well, and what only looks like damage.
	Remedy    string   `json:"remedy"`    // What mending does.
}

// Faults are all faults in the order of the catalogue.
func Faults() []Fault {
	return slices.Concat(storageFaults, contextFaults, lineageFaults, messageFaults, summaryFaults,
		fileFaults, conversationFaults, searchFaults, auxiliaryFaults)
}

// Lookup is the fault with an id.
func Lookup(id FaultID) (Fault, bool) {
	f, ok := byID[id]
	return f, ok
}

var byID = func() map[FaultID]Fault {
	m := map[FaultID]Fault{}
	for _, f := range Faults() {
		m[f.ID] = f
	}
	return m
}()
