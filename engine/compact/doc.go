// Package compact decides, exactly as the reference engine does on the same file,
// what of a conversation's context is summarized next: leaf and condensed passes,
// sweeps, and when they stop.
//
// It works on a copy of the context in memory and must not write to the database.
package compact
