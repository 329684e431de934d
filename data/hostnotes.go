package data

import (
	"context"
	"strconv"
)

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

// HostNotes are those of a conversation.
func (db *DB) HostNotes(ctx context.Context, conv int64) (n HostNotes, err error) {
	if t := "conversation_compaction_telemetry"; db.schema.Has(t, "provider", "model") {
		var provider, model text
		_, err = db.one(ctx, "read telemetry", "SELECT provider, model FROM "+t+" WHERE conversation_id = ?", []any{conv}, &provider, &model)
		n.Provider, n.Model = string(provider), string(model)
	}
	const t = "conversation_compaction_maintenance"
	if err != nil || !db.schema.Has(t, "context_threshold_source") {
		return n, err
	}
	columns := db.schema.exprs(t, "m", "context_threshold_source", "context_threshold", "context_fresh_tail_count", "context_leaf_chunk_tokens")
	var source, threshold text
	var tail, chunk integer
	_, err = db.one(ctx, "read maintenance", "SELECT "+columns+" FROM "+t+" m WHERE conversation_id = ?", []any{conv}, &source, &threshold, &tail, &chunk)
	n.Override, n.FreshTailCount, n.ChunkTokens = source == "override", int64(tail), int64(chunk)
	n.Threshold, _ = strconv.ParseFloat(string(threshold), 64) // What isn't a number is not noted.
	return n, err
}
