// Package assemble decides what of a conversation's context a model sees under a
// budget.
//
// It reads plain values and must not write.
package assemble
