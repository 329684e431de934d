// Package assemble decides what of a conversation's context a model sees under a
// budget, and rebuilds it as the host would send it.
//
// It only reads: it must not write, ask a model, or print.
package assemble
