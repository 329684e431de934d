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

// touches reports whether a change is no more than that of Touch.
func touches(c Change) bool {
	_, at := c.After["updated_at"]
	return at && c.Table == "conversations" && c.Before != nil && len(c.After) == len(c.Key)+1
}

// untouched leaves out of changes that undo others those of conversations which a
// host has touched since: what it noted is newer, and nothing hangs on it.
func (t *tx) untouched(ctx context.Context, cs []Change) ([]Change, error) {
	var out []Change
	for _, c := range cs {
		if touches(c) {
			got, err := t.row(ctx, c.Table, c.Before.pick(c.Key), c.Before.Columns())
			if err != nil {
				return nil, err
			}
			if got != nil && !got.Equal(c.Before) {
				continue
			}
		}
		out = append(out, c)
	}
	return out, nil
}
