// Package ops is the one way in which a database is changed. An operation plans;
// the plan is a value that is shown by a screen and by a command alike, applied
// in one short transaction, recorded, and can be undone. Preview, Apply and Undo
// are here once, for all operations.
//
// A plan never holds a transaction while it's being made, and the package must
// not print or draw.
package ops
