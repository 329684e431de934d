// Package thinking finds and removes the reasoning that a model left in a text, such as between
// the tags <think> and </think>.
//
// It knows text only, and removes what the reference engine removes of it.
package thinking
