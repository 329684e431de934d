// Package thinking finds and removes the reasoning that a model left at the start of an
// answer, between tags such as <think> and </think>.
//
// It knows text only. The reference engine reads the tags in two ways, by a stored text
// and by a summary that is shown; both are here.
package thinking
