ALTER TABLE messages ADD COLUMN identity_hash TEXT;
CREATE INDEX messages_conv_identity_hash_idx ON messages (conversation_id, identity_hash);
CREATE INDEX conversations_session_id_active_created_idx
  ON conversations (session_id, active, created_at);
ALTER TABLE conversation_compaction_telemetry ADD COLUMN consecutive_cold_observations INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversation_compaction_telemetry ADD COLUMN last_leaf_compaction_at TEXT;
ALTER TABLE conversation_compaction_telemetry ADD COLUMN turns_since_leaf_compaction INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversation_compaction_telemetry ADD COLUMN tokens_accumulated_since_leaf_compaction INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversation_compaction_telemetry ADD COLUMN last_activity_band TEXT NOT NULL DEFAULT 'low'
  CHECK (last_activity_band IN ('low', 'medium', 'high'));
ALTER TABLE conversation_compaction_telemetry ADD COLUMN last_api_call_at TEXT;
ALTER TABLE conversation_compaction_telemetry ADD COLUMN last_cache_touch_at TEXT;
ALTER TABLE conversation_compaction_telemetry ADD COLUMN provider TEXT;
ALTER TABLE conversation_compaction_telemetry ADD COLUMN model TEXT;
CREATE TABLE conversation_compaction_maintenance (
  conversation_id INTEGER PRIMARY KEY REFERENCES conversations(conversation_id) ON DELETE CASCADE,
  pending INTEGER NOT NULL DEFAULT 0,
  requested_at TEXT,
  reason TEXT,
  running INTEGER NOT NULL DEFAULT 0,
  last_started_at TEXT,
  last_finished_at TEXT,
  last_failure_summary TEXT,
  token_budget INTEGER,
  current_token_count INTEGER,
  updated_at TEXT NOT NULL DEFAULT (datetime('now'))
);
