// Package nearest finds the known word that a user probably meant.
//
// It must not know which words there are.
package nearest
