package data

import (
	"fmt"
	"net/url"
)

// LimitPages makes the disk full for db's writes: the file may have n pages.
func LimitPages(db *DB, n int) {
	db.writerExtra = url.Values{"_pragma": {"foreign_keys(1)", fmt.Sprintf("max_page_count(%d)", n)}}
}

// AsText, AsInteger and TaggedRoundTrip are tested from outside.
var (
	AsText    = asText
	AsInteger = asInteger

	FormatRanges, ParseRanges = formatRanges, parseRanges
)

// WriteInPartsOf makes a handle write batches of more rows in parts.
func WriteInPartsOf(db *DB, rows int) { db.partRows = rows }
