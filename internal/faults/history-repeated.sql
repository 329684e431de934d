-- level 1.0.0-beta
-- needs message_transcript_anchor_trust.trust_state
-- index
UPDATE conversations SET session_id = (SELECT session_id FROM conversations WHERE conversation_id = 1) WHERE conversation_id = 2;
INSERT OR IGNORE INTO messages (message_id, conversation_id, seq, role, content, token_count, created_at, identity_hash) SELECT 9600 + message_id, 2, 9600 + message_id, role, content, token_count, created_at, identity_hash FROM messages WHERE message_id IN (50, 51);
INSERT OR IGNORE INTO message_parts (part_id, message_id, session_id, part_type, ordinal, text_content, metadata) SELECT 'repeated-' || part_id, 9600 + message_id, session_id, part_type, ordinal, text_content, metadata FROM message_parts WHERE message_id IN (50, 51);
INSERT OR IGNORE INTO context_items (conversation_id, ordinal, item_type, message_id, created_at) SELECT 2, message_id, 'message', message_id, created_at FROM messages WHERE message_id IN (9650, 9651);
