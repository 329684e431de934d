-- needs conversation_compaction_telemetry.turns_since_leaf_compaction
INSERT OR IGNORE INTO conversations (conversation_id, session_id, created_at, updated_at) VALUES (901, 'frozen', '2026-01-05 09:00:00', '2026-01-05 09:00:00');
INSERT OR IGNORE INTO conversation_compaction_telemetry (conversation_id, turns_since_leaf_compaction) VALUES (901, 12);
