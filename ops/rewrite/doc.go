// Package rewrite makes the text of summaries anew: by a model from what they were
// made of, sources before what was made of them, or by hand. The links between
// summaries stay as they are.
package rewrite
