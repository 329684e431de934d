package data

import (
	"context"
	"fmt"
)

// OpSecrets is the operation of records that say where secrets were replaced. They have no values,
// so they can't be undone.
const OpSecrets = "secrets"

// IrreversibleError says that a record can't be undone because it doesn't have what was there
// before.
type IrreversibleError struct{ Record int64 }

func (e *IrreversibleError) Error() string {
	return fmt.Sprintf("record %d can't be undone: it replaced secrets, and keeps no copy of them", e.Record)
}

// Hint says what is left.
func (*IrreversibleError) Hint() string {
	return "older records can still be undone: lcm-tui undo ID; they bring back the placeholders, not the secrets"
}

// ScreenHint says it for a screen.
func (*IrreversibleError) ScreenHint() string {
	return "older records can still be undone; they bring back the placeholders, not the secrets"
}

// CountBulkRecords counts the records that can be undone and have only digests of inserted rows.
func (db *DB) CountBulkRecords(ctx context.Context) (n int, err error) {
	if some, err := db.hasTable(ctx, undoTable); err != nil || !some {
		return 0, err
	}
	_, err = db.one(ctx, "read history", "SELECT count(*) FROM lcm_tui_undo WHERE undone_at IS NULL AND instr(changes, '\""+digestColumn+"')", nil, &n)
	return n, err
}
