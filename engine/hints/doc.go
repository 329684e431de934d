// Package hints finds what earlier sessions recorded about a prompt: a line of a summary or of promoted memory that
// holds most of what the prompt is about. It finds nothing sooner than something that doesn't belong to the prompt. The
// package must not ask a model.
package hints
