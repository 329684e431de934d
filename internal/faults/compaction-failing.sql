-- needs conversation_compaction_maintenance.retry_attempts
INSERT OR IGNORE INTO conversation_compaction_maintenance (conversation_id) VALUES (1);
UPDATE conversation_compaction_maintenance SET pending = 1, retry_attempts = 7, last_failure_summary = 'the key was refused' WHERE conversation_id = 1;
