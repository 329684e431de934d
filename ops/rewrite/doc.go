// Package rewrite replaces the texts of summaries: a model regenerates them from their
// sources, bottom-up, or the user writes them. It must not change the links between
// summaries.
package rewrite
