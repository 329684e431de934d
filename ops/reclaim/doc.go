// Package reclaim gives back to the disk what a database no longer needs: it merges the search
// tables, empties the -wal, and rewrites the file without free pages. Where nobody has the
// file open, a compacted and verified copy takes its place; beside a host it works in steps that
// hold no lock for long.
//
// It must not change a row, and it must not put another file in the place of one that somebody
// has open: a program would go on writing to a file without a name.
package reclaim
