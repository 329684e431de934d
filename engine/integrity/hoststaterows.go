package integrity

import (
	"context"
	"time"

	"lcm-tui/data"
)

// The tables in which hosts keep their own state.
const (
	bootstrapTable   = "conversation_bootstrap_state"
	telemetryTable   = "conversation_compaction_telemetry"
	maintenanceTable = "conversation_compaction_maintenance"
	briefTable       = "focus_briefs"
)

// hostState are the rows of these tables, by table and conversation.
type hostState map[string]map[int64][]data.Row

// readHostState reads what hosts note beside the memory, of one conversation or, with 0, of all.
func readHostState(ctx context.Context, db *data.DB, conversation int64) (hostState, error) {
	state, where := hostState{}, data.Row{}
	if conversation != 0 {
		where["conversation_id"] = conversation
	}
	for _, table := range []string{bootstrapTable, telemetryTable, maintenanceTable, briefTable} {
		of := map[int64][]data.Row{}
		if !db.Schema().Has(table, "conversation_id") {
			continue
		}
		rows, err := db.Images(ctx, table, where)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			id, _ := r["conversation_id"].(int64)
			of[id] = append(of[id], r)
		}
		state[table] = of
	}
	return state, nil
}

// row is a conversation's note in a table, or nil.
func (n hostState) row(table string, conv int64) data.Row {
	if rows := n[table][conv]; len(rows) > 0 {
		return rows[0]
	}
	return nil
}

// intColumn is a column's number, or 0.
func intColumn(r data.Row, column string) int64 {
	n, _ := r[column].(int64)
	return n
}

// timeColumn is a column's time; false where it holds none.
func timeColumn(r data.Row, column string) (time.Time, bool) {
	s, _ := r[column].(string)
	return data.ParseTime(s)
}

// textColumn is a column's text, or empty.
func textColumn(r data.Row, column string) string {
	s, _ := r[column].(string)
	return s
}
