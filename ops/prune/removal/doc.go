// Package removal has the statements of pruning: which rows qualify, and the short
// transactions that remove them. It must not decide what is to be pruned.
package removal
