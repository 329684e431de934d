// Package describe has a model describe large text files, in the place of what is said of them without one.
//
// It must not ask a model about structured data, code or images, nor twice about the same content. What a model doesn't
// answer keeps its description.
package describe
