// Package space reports what fills an lcm.db and what stands beside it, what each kind of
// cleaning would give back, and how large the file will be afterwards.
//
// It has no SQL of its own: data/space measures. It deletes nothing, and decides nothing that
// prune doesn't decide in the same way.
package space
