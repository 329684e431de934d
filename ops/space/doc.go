// Package space measures what fills an lcm.db: the pages of every table and index, free pages, the -wal
// beside it, and the bytes of rows by conversation, month and kind. It reports that, what each kind of
// cleaning would give back, and how large the file will be afterwards.
//
// It reads through the handle of package data only, and never opens a file of the database by
// itself: sizes of files are asked from the file system. It deletes nothing, and decides nothing that
// prune doesn't decide in the same way.
package space
