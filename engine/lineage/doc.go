// Package lineage is the summary DAG of one conversation: the sources of each summary, the
// messages that it covers, and the summaries in the context. It tolerates damaged files with
// cycles, links to missing rows, and nodes under two parents.
//
// It reads and computes; it must not write.
package lineage
