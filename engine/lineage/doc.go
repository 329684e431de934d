// Package lineage is the summary DAG of one conversation: which summary was made
// of which others, what each covers, and what stands in the context. It tolerates
// what damaged files hold: cycles, links to rows that are gone, nodes under two
// parents.
//
// It reads, and computes; it must not write.
package lineage
