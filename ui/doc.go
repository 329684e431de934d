// Package ui is what screens are made of: what a screen is and what it may say, its keys, the jobs that
// work off the update loop, the styles, and widgets such as lists, pagers and prompts. The program
// that shows the screens is ui/shell.
//
// It knows no screen, no operation and no database. It must do no I/O on the update loop: whatever waits
// is a job (see Jobs).
//
// A screen is a pointer with the methods of Screen. It may also be a Typer, an
// Escaper, a Placer, a Positioner, a Legender, an Unsaver, a Copier or a Commander. Sizes come to it only as arguments of View; its keys are
// named once, by Actions, and the footer, help and palette are made from that.
package ui
