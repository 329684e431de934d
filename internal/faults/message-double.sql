-- index
INSERT OR IGNORE INTO messages (message_id, conversation_id, seq, role, content, token_count, created_at) SELECT 9001, 1, 9001, role, content, token_count, created_at FROM messages WHERE message_id = 7;
INSERT OR IGNORE INTO messages (message_id, conversation_id, seq, role, content, token_count, created_at) SELECT 9002, 1, 9002, role, content, token_count, created_at FROM messages WHERE message_id = 8;
INSERT OR IGNORE INTO message_parts (part_id, message_id, session_id, part_type, ordinal, text_content, metadata) SELECT 'twice-' || part_id, message_id + 8994, session_id, part_type, ordinal, text_content, metadata FROM message_parts WHERE message_id IN (7, 8);
INSERT OR IGNORE INTO context_items (conversation_id, ordinal, item_type, message_id, created_at) SELECT 1, message_id - 8000, 'message', message_id, created_at FROM messages WHERE message_id IN (9001, 9002);
