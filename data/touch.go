package data

import "context"

// Touch is the change by which a conversation says that it was changed now, as
// hosts look for the one that was changed last.
func (db *DB) Touch(ctx context.Context, conv int64) (Change, error) {
	const query = "SELECT conversation_id, updated_at FROM conversations WHERE conversation_id = ?"
	r := Row{}
	err := db.each(ctx, "read conversation", query, []any{conv}, func(scan scanner) error {
		var id, at any
		err := scan(&id, &at)
		r["conversation_id"], r["updated_at"] = id, at
		return err
	})
	if err == nil && len(r) == 0 {
		err = db.notFound("conversation", conv)
	}
	return db.Update("conversations", r, Row{"updated_at": db.Stamp()}), err
}
