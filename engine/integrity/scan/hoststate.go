package scan

import (
	"context"
	"time"

	"lcm-tui/data"
)

// The tables in which hosts keep their own state.
const (
	BootstrapTable   = "conversation_bootstrap_state"
	TelemetryTable   = "conversation_compaction_telemetry"
	MaintenanceTable = "conversation_compaction_maintenance"
	BriefTable       = "focus_briefs"
)

// HostState are the rows of these tables, by table and conversation.
type HostState map[string]map[int64][]data.Row

// ReadHostState reads what hosts note beside the memory, of one conversation or, with 0, of all.
func ReadHostState(ctx context.Context, db *data.DB, conversation int64) (HostState, error) {
	state, where := HostState{}, data.Row{}
	if conversation != 0 {
		where["conversation_id"] = conversation
	}
	for _, table := range []string{BootstrapTable, TelemetryTable, MaintenanceTable, BriefTable} {
		of := map[int64][]data.Row{}
		if !db.Schema().Has(table, "conversation_id") {
			continue
		}
		rows, err := data.Images(ctx, db, table, where)
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

// Row returns a conversation's note in a table, or nil.
func (n HostState) Row(table string, conv int64) data.Row {
	if rows := n[table][conv]; len(rows) > 0 {
		return rows[0]
	}
	return nil
}

// IntColumn returns a column's number, or 0.
func IntColumn(r data.Row, column string) int64 {
	n, _ := r[column].(int64)
	return n
}

// TimeColumn returns a column's time; false where it holds none.
func TimeColumn(r data.Row, column string) (time.Time, bool) {
	s, _ := r[column].(string)
	return data.ParseTime(s)
}

// TextColumn returns a column's text, or empty.
func TextColumn(r data.Row, column string) string {
	s, _ := r[column].(string)
	return s
}
