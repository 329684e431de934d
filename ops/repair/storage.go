package repair

import (
	"context"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
)

// storage mends what belongs to the file: counters, parts of messages that don't exist,
// stray rows of search tables.
func (d *draft) storage(ctx context.Context) error {
	if d.op.Conversation != 0 {
		return nil
	}
	if err := d.sequences(ctx); err != nil {
		return err
	}
	if err := d.loose(ctx); err != nil {
		return err
	}
	return d.strayed(ctx)
}

// sequences sets counters of ids to the highest id.
func (d *draft) sequences(ctx context.Context) error {
	for _, f := range d.take(integrity.IDCounterBehind) {
		rows, err := d.db.Images(ctx, "sqlite_sequence", data.Row{"name": f.Row})
		if err != nil {
			return err
		}
		key := d.db.Schema().Key(f.Row)
		if len(rows) != 1 || len(key) != 1 {
			continue
		}
		highest, err := d.db.MaxValue(ctx, f.Row, key[0])
		if err != nil {
			return err
		}
		d.edits.set("sqlite_sequence", rows[0], data.Row{"seq": highest})
		d.done(f)
	}
	return nil
}

// loose deletes links and parts that name rows which don't exist, and belong to no
// conversation for that.
func (d *draft) loose(ctx context.Context) error {
	if !d.has(integrity.ReferenceDangling, integrity.LinkDangling) {
		return nil
	}
	for _, l := range []struct{ table, column, other, key string }{
		{"message_parts", "message_id", "messages", "message_id"},
		{sourceTable, "summary_id", "summaries", "summary_id"},
		{memberTable, "summary_id", "summaries", "summary_id"},
	} {
		rows, err := d.db.DanglingRows(ctx, l.table, l.column, l.other, l.key)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if l.table == "message_parts" || d.homeless(ctx, l.table, r) {
				d.edits.delete(l.table, r)
			}
		}
	}
	for _, fault := range []integrity.FaultID{integrity.ReferenceDangling, integrity.LinkDangling} {
		for _, f := range d.take(fault) {
			switch f.Table {
			case "message_parts", sourceTable, memberTable:
				d.done(f)
			default:
				d.leave(f, "nothing tells whose it was")
			}
		}
	}
	return nil
}

// homeless reports whether neither end of a link exists, so that no conversation's
// repair sees it.
func (d *draft) homeless(ctx context.Context, table string, r data.Row) bool {
	other, column, key := "messages", "message_id", "message_id"
	if table == sourceTable {
		other, column, key = "summaries", "parent_summary_id", "summary_id"
	}
	rows, err := d.db.ImagesIn(ctx, other, key, []any{r[column]}, key)
	return err == nil && len(rows) == 0
}
