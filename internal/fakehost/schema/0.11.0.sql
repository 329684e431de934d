CREATE TABLE focus_briefs (
  brief_id TEXT PRIMARY KEY,
  conversation_id INTEGER NOT NULL REFERENCES conversations(conversation_id) ON DELETE CASCADE,
  session_key TEXT,
  prompt TEXT NOT NULL,
  content TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('draft', 'active', 'superseded', 'failed', 'inactive')),
  token_count INTEGER NOT NULL DEFAULT 0,
  target_tokens INTEGER NOT NULL DEFAULT 0,
  covered_latest_at TEXT,
  covered_message_seq INTEGER,
  source_context_hash TEXT NOT NULL DEFAULT '',
  generator_run_id TEXT,
  generator_session_key TEXT,
  raw_result_json TEXT,
  error TEXT,
  created_at TEXT NOT NULL DEFAULT (datetime('now')),
  updated_at TEXT NOT NULL DEFAULT (datetime('now')),
  superseded_at TEXT
);
CREATE TABLE focus_brief_sources (
  brief_id TEXT NOT NULL REFERENCES focus_briefs(brief_id) ON DELETE CASCADE,
  summary_id TEXT NOT NULL,
  ordinal INTEGER,
  role TEXT NOT NULL,
  created_at TEXT NOT NULL DEFAULT (datetime('now')),
  PRIMARY KEY (brief_id, summary_id, role)
);
CREATE INDEX focus_briefs_conversation_status_idx
  ON focus_briefs (conversation_id, status, created_at);
CREATE INDEX focus_brief_sources_summary_idx
  ON focus_brief_sources (summary_id);
