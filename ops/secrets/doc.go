// Package secrets finds passwords, keys and tokens in a database and what belongs to it, replaces
// them by placeholders for good, and proves that they are gone.
//
// It must not print, record or return a value: what leaves the package is masked.
package secrets
