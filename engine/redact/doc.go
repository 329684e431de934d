// Package redact finds passwords, keys and tokens in texts and replaces them by placeholders.
//
// Rules say what a secret looks like; a Scanner runs them over a text or over the strings inside
// of a JSON text. A value that was found is a Secret, which no way of printing reveals.
//
// It must not read or write files or databases, and must not put a value into an error.
package redact
