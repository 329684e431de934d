package cells

import (
	"context"

	"lcm-tui/data"
)

// MoveCheckpoints writes how far hosts have read a session file whose lines changed their lengths,
// and calls rename, which gives the new file its name, before that is committed. Nobody else may
// have the database open.
func MoveCheckpoints(ctx context.Context, x *data.Exclusive, all []data.Bootstrap, rename func() error) error {
	tx, err := x.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // It does nothing after the commit.
	const update = `UPDATE conversation_bootstrap_state SET last_seen_size = ?, last_seen_mtime_ms = ?, last_processed_offset = ?,
		last_processed_entry_hash = nullif(?, '') WHERE conversation_id = ?`
	for _, b := range all {
		if _, err := tx.ExecContext(ctx, update, b.Size, b.ModTimeMS, b.Offset, b.LastHash, b.Conversation); err != nil {
			return err
		}
	}
	if err := rename(); err != nil {
		return err
	}
	return tx.Commit()
}
