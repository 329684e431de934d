// Package restore says before a restore what it changes: how the live database and the backup differ,
// what the host will store again from its transcripts, and what is lost for good.
//
// It must not write, and it must not decide whether the backup may be restored: data/restore does.
package restore
