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

	WantedRowsByKey = wantedRowsByKey
)

// MovedTogether is how many changes at the beginning one statement makes, because their items only move.
func MovedTogether(cs []Change) int {
	_, n := firstMove(cs)
	return n
}

// WriteInPartsOf makes a handle write batches of more rows in parts.
func WriteInPartsOf(db *DB, rows int) { db.partRows = rows }

// OnStep has fn called at every step of a write: "begun", "rows", "made" and "committed".
func OnStep(db *DB, fn func(step string)) { db.step = fn }

// ItemAt is a context item of a message, one that was read from the file or a new one.
func ItemAt(message, ordinal int64, fromFile bool) ContextItem {
	return ContextItem{
		Conversation: 1, Ordinal: ordinal, Type: "message", Message: message, fromFile: fromFile, source: ordinal,
		columns: []string{"conversation_id", "ordinal", "message_id"}, cells: []any{int64(1), ordinal, message},
	}
}
