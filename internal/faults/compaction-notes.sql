-- index
INSERT OR IGNORE INTO messages (message_id, conversation_id, seq, role, content, token_count, created_at) VALUES (9401, 1, 9401, 'system', 'LCM compaction leaf pass (normal): 900 -> 500', 12, '2026-01-05 10:10:00');
INSERT OR IGNORE INTO message_parts (part_id, message_id, session_id, part_type, ordinal, text_content, metadata) VALUES ('note-9401', 9401, 's', 'compaction', 0, 'LCM compaction leaf pass (normal): 900 -> 500', '{"pass":"leaf"}');
