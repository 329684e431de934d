CREATE TABLE conversation_compaction_telemetry (
  conversation_id INTEGER PRIMARY KEY REFERENCES conversations(conversation_id) ON DELETE CASCADE,
  last_observed_cache_read INTEGER,
  last_observed_cache_write INTEGER,
  last_observed_cache_hit_at TEXT,
  last_observed_cache_break_at TEXT,
  cache_state TEXT NOT NULL DEFAULT 'unknown'
    CHECK (cache_state IN ('hot', 'cold', 'unknown')),
  retention TEXT,
  updated_at TEXT NOT NULL DEFAULT (datetime('now'))
);
CREATE INDEX compaction_telemetry_state_idx ON conversation_compaction_telemetry (cache_state, updated_at);
CREATE INDEX summary_messages_message_idx ON summary_messages (message_id);
CREATE INDEX summary_parents_parent_summary_idx ON summary_parents (parent_summary_id);
CREATE INDEX summaries_conv_depth_kind_idx ON summaries (conversation_id, depth, kind);
