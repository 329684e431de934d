-- needs conversation_compaction_telemetry.turns_since_leaf_compaction
INSERT OR IGNORE INTO conversation_compaction_telemetry (conversation_id) VALUES (7777);
