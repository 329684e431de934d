// Package repair repairs what a check of a file finds, a conversation at a time.
//
// An Op is the request: its scope, what is skipped, and what the user chose. Its plan lists
// the findings as items, each with what is wrong, what is done about it or why nothing is, and
// the rows and texts that change. The stages of a repair are one table: each says which faults
// it repairs, what it needs and what it provides. What they leave behind is built in package
// draft.
//
// Every repair follows a finding: what only looks like damage has none, and stays as it is.
// Ids never change. Seqs change only where the user merges two conversations. What the file
// can't decide is the user's choice.
package repair
