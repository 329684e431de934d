-- needs conversation_compaction_maintenance.running
INSERT OR IGNORE INTO conversation_compaction_maintenance (conversation_id) VALUES (1);
UPDATE conversation_compaction_maintenance SET running = 1, last_started_at = '2026-01-05T09:00:00.000Z' WHERE conversation_id = 1;
