// Package compact summarizes what a conversation's context has outgrown: first an
// estimate that costs nothing, then a run whose new summaries are read beside
// their sources, and written as one change.
package compact
