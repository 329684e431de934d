CREATE TABLE compaction_events (
  event_id INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation_id INTEGER NOT NULL REFERENCES conversations(conversation_id) ON DELETE CASCADE,
  pass TEXT NOT NULL,
  level TEXT NOT NULL,
  tokens_before INTEGER NOT NULL,
  tokens_after INTEGER NOT NULL,
  created_summary_id TEXT,
  created_at TEXT NOT NULL DEFAULT (datetime('now'))
);
