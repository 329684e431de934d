// Package diff says what differs between two databases: conversation by conversation, in the words
// of what was done to them, and row by row.
//
// It reads both files and changes neither. It must not print, and it knows no screen.
package diff
