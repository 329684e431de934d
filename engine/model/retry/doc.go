// Package retry asks again. It makes of a single call a model that keeps a time limit, repeats calls
// that failed for a short time only, checks the answers and counts what they cost; and of several
// models a chain that calls the next where one fails.
//
// It must not know whom it calls, nor choose the models of a chain.
package retry
