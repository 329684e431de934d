ALTER TABLE conversations ADD COLUMN active INTEGER NOT NULL DEFAULT 1;
ALTER TABLE conversations ADD COLUMN archived_at TEXT;
DROP INDEX conversations_session_key_idx;
CREATE UNIQUE INDEX conversations_active_session_key_idx
  ON conversations (session_key)
  WHERE session_key IS NOT NULL AND active = 1;
CREATE INDEX conversations_session_key_active_created_idx
  ON conversations (session_key, active, created_at);
CREATE VIRTUAL TABLE summaries_fts_cjk USING fts5(
  summary_id UNINDEXED,
  content,
  tokenize='trigram'
);
