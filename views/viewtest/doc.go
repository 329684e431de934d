// Package viewtest drives the program of the screens in tests: without a terminal and without the passing of
// time.
package viewtest
