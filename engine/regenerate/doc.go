// Package regenerate makes the texts of summaries again from their sources: sources
// before the summaries that are made of them, and those that don't depend on each other
// at the same time.
//
// It reads and asks a model; it must not write, nor choose which summaries are meant.
package regenerate
