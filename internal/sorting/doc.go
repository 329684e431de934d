// Package sorting sorts slices of structs.
//
// It stands below every package that has such slices, and must not know what is sorted.
package sorting
