DROP TABLE conversation_bootstrap_state;
CREATE TABLE conversation_transcript_epochs (
  epoch_id INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation_id INTEGER NOT NULL REFERENCES conversations(conversation_id) ON DELETE CASCADE,
  session_header_id TEXT NOT NULL,
  opened_at TEXT NOT NULL DEFAULT (datetime('now')),
  closed_at TEXT
);
CREATE TABLE message_transcript_anchor_trust (
  message_id INTEGER PRIMARY KEY REFERENCES messages(message_id) ON DELETE CASCADE,
  trust TEXT NOT NULL DEFAULT 'unknown',
  updated_at TEXT NOT NULL DEFAULT (datetime('now'))
);
CREATE TABLE pending_compaction_batches (
  batch_id TEXT PRIMARY KEY,
  conversation_id INTEGER NOT NULL REFERENCES conversations(conversation_id) ON DELETE CASCADE,
  state TEXT NOT NULL DEFAULT 'pending',
  created_at TEXT NOT NULL DEFAULT (datetime('now'))
);
CREATE TABLE pending_summary_nodes (
  node_id TEXT PRIMARY KEY,
  batch_id TEXT NOT NULL REFERENCES pending_compaction_batches(batch_id) ON DELETE CASCADE,
  depth INTEGER NOT NULL DEFAULT 0,
  content TEXT
);
CREATE TABLE pending_summary_node_messages (
  node_id TEXT NOT NULL REFERENCES pending_summary_nodes(node_id) ON DELETE CASCADE,
  message_id INTEGER NOT NULL REFERENCES messages(message_id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  PRIMARY KEY (node_id, message_id)
);
CREATE TABLE pending_summary_node_children (
  node_id TEXT NOT NULL REFERENCES pending_summary_nodes(node_id) ON DELETE CASCADE,
  child_id TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  PRIMARY KEY (node_id, child_id)
);
CREATE TABLE turn_advancements (
  conversation_id INTEGER NOT NULL REFERENCES conversations(conversation_id) ON DELETE CASCADE,
  turn INTEGER NOT NULL,
  advanced_at TEXT NOT NULL DEFAULT (datetime('now')),
  PRIMARY KEY (conversation_id, turn)
);
