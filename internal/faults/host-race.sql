-- index
INSERT OR IGNORE INTO summaries (summary_id, conversation_id, kind, depth, content, token_count, earliest_at, latest_at, created_at)
  VALUES ('sum_0ace0ace0ace0ace', 1, 'leaf', 0, 'Of four messages the host summarized two.', 11, '2026-01-05T09:47:00.000Z', '2026-01-05T09:48:00.000Z', '2026-01-05 10:03:00');
INSERT OR IGNORE INTO summary_messages (summary_id, message_id, ordinal) VALUES ('sum_0ace0ace0ace0ace', 37, 0), ('sum_0ace0ace0ace0ace', 38, 1);
DELETE FROM context_items WHERE conversation_id = 1 AND ordinal BETWEEN 2 AND 5;
INSERT OR IGNORE INTO context_items (conversation_id, ordinal, item_type, summary_id, created_at) VALUES (1, 2, 'summary', 'sum_0ace0ace0ace0ace', '2026-01-05 10:03:00');
CREATE TABLE IF NOT EXISTS lcm_tui_undo (id INTEGER PRIMARY KEY, op TEXT NOT NULL, title TEXT NOT NULL, applied_at TEXT NOT NULL, undone_at TEXT,
  detail TEXT NOT NULL, changes TEXT NOT NULL, search TEXT NOT NULL);
INSERT OR IGNORE INTO lcm_tui_undo (id, op, title, applied_at, detail, changes, search)
  VALUES (1, 'compact', 'compact conversation 1', '2026-01-05T10:02:00.000Z', '{"coverage":{"reachable":{"1":"37-51"}}}', '[]', '[]');
