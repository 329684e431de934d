package columntexts

import (
	"context"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// NewHash is the identity hash of a message whose text was replaced in its row and in the session file.
type NewHash struct {
	Conversation  int64
	Content       string // The text that the row has.
	Before, After string // The hash that it has, and the one that goes with its text.
}

// MoveCheckpoints writes how far hosts have read a session file whose lines changed their lengths, and by
// which hashes they know its messages now. It calls replace, which gives the new file its name, before
// that is committed. Nobody else may have the database open.
func MoveCheckpoints(ctx context.Context, x *data.Exclusive, all []lcm.Bootstrap, hashes []NewHash, replace func() error) error {
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
	var hashed int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM pragma_table_info('messages') WHERE name = 'identity_hash'").Scan(&hashed); err != nil {
		return err
	}
	for _, h := range hashes {
		if hashed == 0 {
			break
		}
		const rehash = "UPDATE messages SET identity_hash = ? WHERE conversation_id = ? AND identity_hash = ? AND content = ?"
		if _, err := tx.ExecContext(ctx, rehash, h.After, h.Conversation, h.Before, h.Content); err != nil {
			return err
		}
	}
	if err := replace(); err != nil {
		return err
	}
	return tx.Commit()
}

// TextsWithHash returns the texts of the messages of a conversation that have an identity hash.
func TextsWithHash(ctx context.Context, db *data.DB, conversation int64, hash string) (texts []string, err error) {
	if hash == "" || !db.Schema().Has("messages", "identity_hash", "content") {
		return nil, nil
	}
	const query = "SELECT DISTINCT content FROM messages WHERE conversation_id = ? AND identity_hash = ?"
	err = db.EachRow(ctx, "read messages", query, []any{conversation, hash}, func(scan data.RowScanner) error {
		var text data.Text
		err := scan(&text)
		texts = append(texts, string(text))
		return err
	})
	return texts, err
}
