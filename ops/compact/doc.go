// Package compact shortens a conversation's context: it plans an estimate that costs
// nothing, or a run of a model whose new summaries can be read beside their sources before
// they are written as one change.
package compact
