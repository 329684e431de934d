-- needs conversation_compaction_maintenance.pending
INSERT OR IGNORE INTO conversation_compaction_maintenance (conversation_id) VALUES (2);
UPDATE conversation_compaction_maintenance SET pending = 1, requested_at = '2026-01-05T09:00:00.000Z' WHERE conversation_id = 2;
