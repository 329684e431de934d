package change

import (
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// restoredReason is the failure_summary of an active batch that a change deleted and its undo
// restores.
const restoredReason = "the batch was deleted by lcm-tui, and undo restored it"

// restoredPending returns the changes of pending tables that an undo makes: what was deleted
// comes back as far as what it refers to is there, active batches and open nodes as stale; and
// published nodes name their summary again that comes back. What became stale stays stale. The
// changes of the undo are inverted: after is what comes back.
func restoredPending(ctx context.Context, t *tx, cs, others []Change) (out []Change, err error) {
	r := restoredRows{tx: t, added: map[string]map[string]bool{}}
	for _, c := range others {
		if key := namedBy[c.Table]; key != "" && c.After != nil {
			r.add(c.Table, c.After[key])
		}
	}
	for _, table := range data.PendingTables { // Each after those that its rows refer to.
		for _, c := range cs {
			if c.Table != table || c.After == nil {
				continue
			}
			c, ok, err := r.restore(ctx, c)
			if err != nil {
				return nil, err
			}
			if ok {
				out = append(out, c)
			}
		}
	}
	return out, nil
}

// restoredRows restores rows of pending tables, parents first.
type restoredRows struct {
	*tx
	added map[string]map[string]bool // The ids of the rows that the same undo adds, by table.
}

func (r restoredRows) add(table string, id any) {
	if r.added[table] == nil {
		r.added[table] = map[string]bool{}
	}
	r.added[table][data.CellText(id)] = true
}

// has reports whether the file has a row, or gets it by the same undo.
func (r restoredRows) has(ctx context.Context, table, key string, id any) (bool, error) {
	if id == nil || r.added[table][data.CellText(id)] {
		return id != nil, nil
	}
	got, err := r.Row(ctx, table, data.Row{key: id}, []string{key})
	return got != nil, err
}

// hasAll reports whether the file has all rows that columns of another name. A column that is
// NULL names none.
func (r restoredRows) hasAll(ctx context.Context, row data.Row, references map[string]string) (bool, error) {
	for column, table := range references {
		key := column
		switch column {
		case "child_node_id":
			key = "node_id"
		case "child_summary_id", "canonical_summary_id":
			key = "summary_id"
		}
		if row[column] == nil {
			continue
		}
		if ok, err := r.has(ctx, table, key, row[column]); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// pendingReferences are the columns of pending tables that name rows without which a row can't
// be, and the tables of those.
var pendingReferences = map[string]map[string]string{
	data.PendingBatchTable:       {"conversation_id": "conversations"},
	data.PendingNodeTable:        {"batch_id": data.PendingBatchTable, "conversation_id": "conversations"},
	data.PendingNodeMessageTable: {"node_id": data.PendingNodeTable, "message_id": "messages"},
	data.PendingNodeChildTable:   {"node_id": data.PendingNodeTable, "child_node_id": data.PendingNodeTable, "child_summary_id": "summaries"},
}

// restore returns the change that restores a row; not ok where there is nothing to restore, or
// where it has no place any more.
func (r restoredRows) restore(ctx context.Context, c Change) (_ Change, ok bool, err error) {
	if c.Before != nil {
		return r.restoreCanonical(ctx, c)
	}
	got, err := r.Row(ctx, c.Table, c.After.Pick(c.Key), c.Key)
	if err != nil || got != nil {
		return c, false, err
	}
	if ok, err := r.hasAll(ctx, c.After, pendingReferences[c.Table]); !ok || err != nil {
		return c, false, err
	}
	row := c.After.Pick(c.After.Columns())
	switch c.Table {
	case data.PendingBatchTable:
		if slices.Contains([]string{lcm.BatchPlanning, lcm.BatchReady, lcm.BatchPublishing}, data.CellText(row["status"])) {
			set(row, data.Row{"status": lcm.BatchStale, "failure_summary": restoredReason, updatedAtColumn: data.FormatTime(r.Now)})
		}
		r.add(c.Table, row["batch_id"])
	case data.PendingNodeTable:
		if slices.Contains([]string{lcm.NodePlanned, lcm.NodeRunning, lcm.NodeReady, lcm.NodeFailed}, data.CellText(row["status"])) {
			set(row, data.Row{"status": lcm.NodeStale, "lease_owner": nil, "lease_expires_at": nil, updatedAtColumn: data.FormatTime(r.Now)})
		}
		if ok, err := r.hasAll(ctx, row, map[string]string{"canonical_summary_id": "summaries"}); err != nil {
			return c, false, err
		} else if !ok {
			row["canonical_summary_id"] = nil
		}
		r.add(c.Table, row["node_id"])
	}
	c.After = row
	return c, true, nil
}

// set sets columns that the row has.
func set(r data.Row, columns data.Row) {
	for column, v := range columns {
		if _, known := r[column]; known {
			r[column] = v
		}
	}
}

// restoreCanonical returns the change that has a published node name its summary again.
func (r restoredRows) restoreCanonical(ctx context.Context, c Change) (_ Change, ok bool, err error) {
	const column = "canonical_summary_id"
	id := c.After[column]
	if c.Table != data.PendingNodeTable || id == nil || c.Before[column] != nil {
		return c, false, nil
	}
	got, err := r.Row(ctx, c.Table, c.After.Pick(c.Key), []string{column})
	if err != nil || got == nil || got[column] != nil {
		return c, false, err
	}
	ok, err = r.has(ctx, "summaries", "summary_id", id)
	return c, ok, err
}

// redonePending returns the changes of pending tables that a redo makes: what was deleted, and
// undo restored, is deleted as it is now. The writer finds what its other changes mean for
// batches.
func redonePending(ctx context.Context, t *tx, cs []Change) (out []Change, err error) {
	seen := &batchSet{}
	for _, c := range cs {
		if c.Table != data.PendingBatchTable || c.After != nil || seen.has(c.Before["batch_id"]) {
			continue
		}
		seen.add(c.Before["batch_id"])
		rows, err := deletedBatch(ctx, t, c.Before["batch_id"])
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	return out, nil
}
