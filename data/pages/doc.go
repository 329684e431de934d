// Package pages reads the rows of an SQLite file page by page, without SQLite: what
// is left of a damaged file, of which SQLite itself reads only what lies before the
// damage. Nothing in a page is trusted, so noise costs the rows that it overwrote
// and no more.
//
// It reads the file and its -wal as plain bytes and must never write. It knows
// pages, trees and records, and nothing of what the rows mean.
package pages
