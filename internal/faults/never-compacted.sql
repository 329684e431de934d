-- index
INSERT OR IGNORE INTO conversations (conversation_id, session_id, created_at, updated_at) VALUES (902, 'grown', '2026-01-05 09:00:00', '2026-01-05 09:00:00');
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6)
INSERT OR IGNORE INTO messages (message_id, conversation_id, seq, role, content, token_count, created_at) SELECT 9500 + i, 902, i, 'user', i || ' more of the same, and on it goes', 24001, '2026-01-05 09:0' || i || ':00' FROM n;
INSERT OR IGNORE INTO message_parts (part_id, message_id, session_id, part_type, ordinal, text_content, metadata) SELECT 'grown-' || message_id, message_id, 's', 'text', 0, content, '{"originalRole":"user"}' FROM messages WHERE conversation_id = 902;
INSERT OR IGNORE INTO context_items (conversation_id, ordinal, item_type, message_id, created_at) SELECT 902, seq - 1, 'message', message_id, created_at FROM messages WHERE conversation_id = 902;
