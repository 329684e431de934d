package data

import (
	"fmt"
	"net/url"
)

// LimitPages makes the disk full for db's writes: the file may have n pages.
func LimitPages(db *DB, n int) {
	db.WriterParameters = url.Values{"_pragma": {"foreign_keys(1)", fmt.Sprintf("max_page_count(%d)", n)}}
}

// WantedRowsByKey is tested from outside.
var WantedRowsByKey = wantedRowsByKey

// WriteInPartsOf makes a handle write batches of more rows in parts.
func WriteInPartsOf(db *DB, rows int) { db.PartRows = rows }

// OnStep has fn called at every step of a write: "begun", "rows", "made" and "committed".
func OnStep(db *DB, fn func(step string)) { db.Step = fn }
