// Package pages reads the rows of a damaged SQLite file page by page, without SQLite, which
// stops at the first damage. It trusts nothing in a page, so that only overwritten rows are
// lost.
//
// It reads the file and its -wal as plain bytes and must never write. It knows pages, trees and
// records, and nothing of the meaning of the rows.
package pages
