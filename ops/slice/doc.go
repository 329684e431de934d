// Package slice copies conversations row by row into a new database with the schema of their
// own: for a file that goes elsewhere, and for the trash. It must not change the source, and it
// must not give rows other ids.
package slice
