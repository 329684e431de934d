// Package cli is what all commands share: flags in, a table or one JSON value out, errors and
// exit codes, completion, and the run of a command. The commands stand in the rooms below, one file each;
// cli/commands puts them together.
//
// Standard output carries the result and nothing else; progress, warnings and
// errors go to standard error, and the exit code says how it ended. Stored text
// is made safe before it is printed: no escape sequence of a database reaches a
// terminal.
//
// The package must not decide anything about a database: it asks data, engine and
// ops, and prints what they say.
package cli
