// Package summarize makes the text of summaries, and knows the marks that a text
// carries when no model made it.
//
// It must not write to the database or decide what is compacted.
package summarize
