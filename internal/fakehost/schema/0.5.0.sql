ALTER TABLE summaries ADD COLUMN model TEXT NOT NULL DEFAULT 'unknown';
CREATE TABLE conversation_bootstrap_state (
  conversation_id INTEGER PRIMARY KEY REFERENCES conversations(conversation_id) ON DELETE CASCADE,
  session_file_path TEXT NOT NULL,
  last_seen_size INTEGER NOT NULL,
  last_seen_mtime_ms INTEGER NOT NULL,
  last_processed_offset INTEGER NOT NULL,
  last_processed_entry_hash TEXT,
  updated_at TEXT NOT NULL DEFAULT (datetime('now'))
);
CREATE INDEX bootstrap_state_path_idx ON conversation_bootstrap_state (session_file_path, updated_at);
