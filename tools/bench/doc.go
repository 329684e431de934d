// Command bench makes a database of a heavy user's size and measures how fast
// the program is on it, as a person would see it: whole processes, on a pseudo
// terminal. It prints measurements beside their targets and judges nothing; it must
// not know how the program does its work.
package main
