// Package space measures what fills an lcm.db: the pages of every table and index, free pages,
// the -wal beside it, and the bytes of rows by conversation, month and kind.
//
// It reads through the handle of package data only, and never opens a file of the database by
// itself: sizes of files are asked from the file system. It must not forecast, decide what
// could be deleted, or print anything.
package space
