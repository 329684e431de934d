// Package fakevendor plays the servers of vendors of models, for tests: one whose model's name says how
// it behaves, and one that answers with given replies.
//
// It must not share code with what asks the vendors.
package fakevendor
