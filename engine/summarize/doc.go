// Package summarize makes the text of summaries, and detects the markers of a text that no
// model made.
//
// It must not write to the database or decide what is compacted.
package summarize
