// Package planfile keeps plans in files: a plan that was made on one machine, or asked a model that
// costs money, is looked at, passed on and applied later, also where the database has been moved.
//
// A plan that holds the rows before and after is written as it stands in the file. A plan over many
// rows has no rows: the file has the request, which is planned again and must come to the same.
//
// What stands in a file isn't trusted: it may be from somebody else. The digest at its end finds what
// was damaged; all else is checked against the database, and the writer checks what it always does.
// No path of a file is read, and none outside of the files folder is written.
package planfile
