// Package restore puts a backup in the place of a live database: through SQLite's own copying of
// pages, so that it is one transaction and the file stays the same file, and only of a damaged file
// that SQLite doesn't open by renaming. Before that it says what would change: how the two differ, what
// the host will store again from its transcripts, and what is lost for good.
//
// It must not write to the backup, and it must not rename over a file that a program may have open.
package restore
