// Package shell is the program in the terminal: the one tea.Model, the stack of screens with its header,
// status line and footer, help, the palette, and the watch over changes from outside.
//
// It must do no I/O on the update loop: whatever waits is a job (see ui.Jobs) or the watch (see Config).
//
// Where a key leads is decided here alone: stack.go and quit.go hold what esc and q do. A level
// of the stack is a screen and the screens that it was switched from; back returns through
// these, each at its place, and then to the level below.
package shell
