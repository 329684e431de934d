package data

import "context"

// Maintenance is what the host notes of compacting a conversation. A crash may
// have left the note. From 0.9.
type Maintenance struct {
	Pending bool // It put compacting off.
	Running bool
}

// Maintenance is the note of a conversation; zero where there is none.
func (db *DB) Maintenance(ctx context.Context, conv int64) (m Maintenance, err error) {
	const table = "conversation_compaction_maintenance"
	if !db.schema.Has(table) {
		return m, nil
	}
	var pending, running integer
	query := "SELECT " + db.schema.exprs(table, "t", "pending", "running") + " FROM " + table + " t WHERE t.conversation_id = ?"
	_, err = db.one(ctx, "read maintenance", query, []any{conv}, &pending, &running)
	return Maintenance{pending != 0, running != 0}, err
}
