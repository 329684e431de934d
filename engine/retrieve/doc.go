// Package retrieve answers as the agent tools of the reference engine do: which conversations a
// question is about, grep, describe, expand, and the texts of their answers.
//
// Results are structs, and texts are functions of them. It must not print, write to the
// database, or ask a model.
package retrieve
