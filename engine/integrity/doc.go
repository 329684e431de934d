// Package integrity knows every way in which an lcm.db can be damaged: the
// catalogue of faults, how each shows in the rows, and who could mend it. Check
// reads a file or one conversation once and says what it found.
//
// The package must not change anything, and must not call legitimate states
// damage: gaps in ordinals and seqs, rows that /new dropped from a context, notes
// of compactions outside of it, and counts of an older estimator.
package integrity
