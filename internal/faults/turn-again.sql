-- level 1.0.0-beta
-- needs message_transcript_anchor_trust.trust_state
-- index
INSERT OR IGNORE INTO messages (message_id, conversation_id, seq, role, content, token_count, created_at, identity_hash, transcript_entry_id) SELECT 9501, 1, 9501, role, content, token_count, created_at, identity_hash, 'entry-50' FROM messages WHERE message_id = 50;
INSERT OR IGNORE INTO messages (message_id, conversation_id, seq, role, content, token_count, created_at, identity_hash, transcript_entry_id) SELECT 9502, 1, 9502, role, content, token_count, created_at, identity_hash, 'entry-7' FROM messages WHERE message_id = 7;
INSERT OR IGNORE INTO message_parts (part_id, message_id, session_id, part_type, ordinal, text_content, metadata) SELECT 'again-' || part_id, CASE message_id WHEN 50 THEN 9501 ELSE 9502 END, session_id, part_type, ordinal, text_content, metadata FROM message_parts WHERE message_id IN (7, 50);
INSERT OR IGNORE INTO context_items (conversation_id, ordinal, item_type, message_id, created_at) SELECT 1, message_id - 8000, 'message', message_id, created_at FROM messages WHERE message_id IN (9501, 9502);
INSERT OR IGNORE INTO message_transcript_anchor_trust (message_id, conversation_id, transcript_entry_id, trust_state, source, reason, verified_at, created_at, updated_at) SELECT message_id, 1, transcript_entry_id, 'verified', 'transcript-import', 'message imported from transcript entry', '2026-01-05T11:00:00.000Z', '2026-01-05 11:00:00', '2026-01-05 11:00:00' FROM messages WHERE message_id IN (9501, 9502);
