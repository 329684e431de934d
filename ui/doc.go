// Package ui is the shell of the terminal program: the one tea.Model, the stack
// of screens with its header, status line and footer, the jobs that work off
// the update loop, help, the palette, the styles, and the widgets that screens
// are made of.
//
// It knows no screen, no operation and no database, and imports no other
// package of this program. It must do no I/O on the update loop: whatever waits
// is a job (see Jobs) or the watch (see Config).
//
// A screen is a pointer with the methods of Screen. It may also be a Typer, an
// Escaper, a Placer, a Positioner, a Legender, an Unsaver, a Copier or a Commander. Sizes come to it only as arguments of View; its keys are
// named once, by Actions, and the footer, help and palette are made from that.
//
// Where a key leads is decided here alone: back.go and quit.go hold what esc and q do. A level
// of the stack is a screen and the screens that it was switched from; back returns through
// these, each at its place, and then to the level below.
package ui
