// Package lcm reads what an lcm.db holds, noun by noun: conversations, messages, summaries, contexts,
// large files, and what a host of 1.0 prepares. Its functions ask a data.Querier, so they read a file and
// any other store that answers the same queries. What a file's level lacks reads as zero.
//
// The package must not write, decide what should change, or render anything.
package lcm
