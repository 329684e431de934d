// Package repair mends what the check of a file finds, a conversation at a time:
// first the links between rows, then the context, messages and their parts,
// summaries, the counters that hang on them, and the search tables.
//
// Every mending follows a finding; what only looks like damage isn't found, so it
// is left alone. Ids and seqs never change, but in the merge of two conversations
// that the user chose. What the finder can't decide is the user's to choose.
package repair
