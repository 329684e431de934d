package integrity

import "slices"

// Severity says how bad a fault is.
type Severity string

// The severities, worst first.
const (
	Fatal Severity = "fatal" // The host can't work with the file, or never returns from it.
	Error Severity = "error" // Memory is lost, duplicated or wrong.
	Warn  Severity = "warn"  // Something is wrong that may do damage.
	Info  Severity = "info"  // Good to know; no damage.
)

// Severities are all severities, worst first.
func Severities() []Severity { return []Severity{Fatal, Error, Warn, Info} }

// AtLeast reports whether s is as bad as o, or worse.
func (s Severity) AtLeast(o Severity) bool { return s.rank() <= o.rank() }

// rank is the place of a severity among all; 0 is the worst.
func (s Severity) rank() int { return slices.Index(Severities(), s) }

// Worst is the worst severity among findings, or Info.
func Worst(list []Finding) Severity {
	worst := Info
	for _, f := range list {
		if f.Severity.AtLeast(worst) {
			worst = f.Severity
		}
	}
	return worst
}
