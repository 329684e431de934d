// Package terminal runs a program on a pseudo terminal and sees its screen as a
// person would, with the times at which it changed. It serves the pictures, the
// measurements and the flows through the whole program; it must know nothing of
// the program that it runs.
package terminal
