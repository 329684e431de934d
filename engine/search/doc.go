// Package search is the operator's search over a whole lcm.db: a query language, hits that
// come newest first while the file is still being read, a count, a ranking, and suggestions
// where nothing was found.
//
// It knows nothing of screens or commands: both give it a Query and take Events. It never
// writes, has no SQL of its own, and doesn't imitate the agent tools of the reference
// engine, which are in engine/retrieve.
package search
