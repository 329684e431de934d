INSERT OR REPLACE INTO context_items (conversation_id, ordinal, item_type, summary_id, created_at) VALUES (1, 900, 'summary', (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 0), '2026-01-05 12:00:00');
INSERT OR REPLACE INTO context_items (conversation_id, ordinal, item_type, message_id, created_at) VALUES (1, 901, 'message', 2, '2026-01-05 12:00:00');
