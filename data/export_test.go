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

// ItemAt is a context item of a message, one that was read from the file or a new one.
func ItemAt(message, ordinal int64, fromFile bool) ContextItem {
	return ContextItem{
		Conversation: 1, Ordinal: ordinal, Type: "message", Message: message, fromFile: fromFile, source: ordinal,
		columns: []string{"ordinal", "message_id"}, cells: []any{ordinal, message},
	}
}
