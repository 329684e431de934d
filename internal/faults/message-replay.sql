-- index
INSERT OR IGNORE INTO messages (message_id, conversation_id, seq, role, content, token_count, created_at) SELECT message_id + 9100, 1, seq + 9100, role, content, token_count, '2026-01-05 10:02:00' FROM messages WHERE message_id IN (7, 8, 9);
INSERT OR IGNORE INTO message_parts (part_id, message_id, session_id, part_type, ordinal, text_content, metadata) SELECT 'again-' || part_id, message_id + 9100, session_id, part_type, ordinal, text_content, metadata FROM message_parts WHERE message_id IN (7, 8, 9);
INSERT OR IGNORE INTO context_items (conversation_id, ordinal, item_type, message_id, created_at) SELECT 1, message_id - 8000, 'message', message_id, created_at FROM messages WHERE message_id > 9100;
