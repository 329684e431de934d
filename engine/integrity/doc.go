// Package integrity knows every way in which an lcm.db can be damaged. Each Fault has one
// entry: its symptom, its severity, how it is detected and what repairs it. Check reads a
// file or one conversation once and returns its findings. Package scan holds what is read of a
// conversation; the types named …Check compare it, and add their findings to one list.
//
// A new fault is a FaultID, an entry in the list of its area (in contextfaults.go, …) and its
// detection in Check; a test names what else it needs.
//
// The package must not write, and must not report sound states: gaps in ordinals and seqs,
// rows that /new dropped from a context, notes of compactions outside of it, and counts of an
// older estimator.
package integrity
