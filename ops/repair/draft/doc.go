// Package draft is a conversation as a repair will leave it: its messages, the graph of its
// summaries, the items of its context, and the rows that change. It knows nothing of faults
// and findings, decides nothing, and writes nothing to the file.
package draft
