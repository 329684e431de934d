// Package hooktest runs the hooks that are installed for a client, as they are written in its file, with events as the
// client would send them. Everything that a hook reads and writes lies in a temporary folder. The package must start
// nothing but these hooks, and leave no process behind.
package hooktest
