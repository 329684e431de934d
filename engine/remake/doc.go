// Package remake has the texts of summaries made anew from what they were made of:
// sources before what was made of them, those that don't depend on each other side by
// side.
//
// It reads and asks a model; it must not write, nor choose which summaries are meant.
package remake
