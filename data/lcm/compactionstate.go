package lcm

import (
	"context"
	"strconv"

	"lcm-tui/data"
)

// Maintenance is what the host notes of compacting a conversation. A crash may
// have left the note. From 0.9.
type Maintenance struct {
	Pending bool // It put compacting off.
	Running bool
}

// ReadMaintenance returns the note of a conversation; zero where there is none.
func ReadMaintenance(ctx context.Context, db data.Querier, conv int64) (m Maintenance, err error) {
	const table = "conversation_compaction_maintenance"
	if !db.Schema().Has(table) {
		return m, nil
	}
	var pending, running data.Integer
	query := "SELECT " + db.Schema().Exprs(table, "t", "pending", "running") + " FROM " + table + " t WHERE t.conversation_id = ?"
	_, err = data.One(ctx, db, "read maintenance", query, []any{conv}, &pending, &running)
	return Maintenance{pending != 0, running != 0}, err
}

// SettledMaintenance returns the columns that end the compaction that a host owes a conversation, as
// an operator ends it in the host: r is the row of the note. Columns that the file lacks are among them.
func SettledMaintenance(db *data.DB, r data.Row) data.Row {
	return data.Row{
		"pending": int64(0), "running": int64(0), "resolution_reason": "operator-ignored", "resolved_at": data.FormatTimeMillis(db.Now()),
		"maintenance_revision": data.CellInteger(r["maintenance_revision"]) + 1, "updated_at": db.FormatNow(),
	}
}

// HostNotes is what the host noted of how it runs a conversation. What it didn't
// note is zero.
type HostNotes struct {
	// Provider and Model are those that it last asked. From 0.9.
	Provider, Model string
	// Override says that the last time it put off compacting it went by an exception
	// to its settings, which were these. From 0.13.
	Override                    bool
	Threshold                   float64
	FreshTailCount, ChunkTokens int64
}

// ReadHostNotes returns those of a conversation.
func ReadHostNotes(ctx context.Context, db data.Querier, conv int64) (n HostNotes, err error) {
	if t := "conversation_compaction_telemetry"; db.Schema().Has(t, "provider", "model") {
		var provider, model data.Text
		_, err = data.One(ctx, db, "read telemetry", "SELECT provider, model FROM "+t+" WHERE conversation_id = ?", []any{conv}, &provider, &model)
		n.Provider, n.Model = string(provider), string(model)
	}
	const t = "conversation_compaction_maintenance"
	if err != nil || !db.Schema().Has(t, "context_threshold_source") {
		return n, err
	}
	columns := db.Schema().Exprs(t, "m", "context_threshold_source", "context_threshold", "context_fresh_tail_count", "context_leaf_chunk_tokens")
	var source, threshold data.Text
	var tail, chunk data.Integer
	_, err = data.One(ctx, db, "read maintenance", "SELECT "+columns+" FROM "+t+" m WHERE conversation_id = ?", []any{conv}, &source, &threshold, &tail, &chunk)
	n.Override, n.FreshTailCount, n.ChunkTokens = source == "override", int64(tail), int64(chunk)
	n.Threshold, _ = strconv.ParseFloat(string(threshold), 64) // What isn't a number is not noted.
	return n, err
}

// Budget returns the token budget that the host noted when it last put off compacting
// the conversation, or 0 where it noted none.
func Budget(ctx context.Context, db data.Querier, conv int64) (n int64, err error) {
	all, err := Budgets(ctx, db)
	return all[conv], err
}

// Budgets returns the token budgets that hosts noted, by conversation. From 0.9.
func Budgets(ctx context.Context, db data.Querier) (map[int64]int64, error) {
	out := map[int64]int64{}
	const table = "conversation_compaction_maintenance"
	if !db.Schema().Has(table, "token_budget") {
		return out, nil
	}
	err := data.Each(ctx, db, "read budgets", "SELECT conversation_id, token_budget FROM "+table+" WHERE token_budget > 0", nil,
		func(scan data.RowScanner) error {
			var conv, n data.Integer
			err := scan(&conv, &n)
			out[int64(conv)] = int64(n)
			return err
		})
	return out, err
}
