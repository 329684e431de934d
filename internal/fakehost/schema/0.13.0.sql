ALTER TABLE messages ADD COLUMN transcript_entry_id TEXT;
CREATE UNIQUE INDEX messages_conv_entry_unique_idx
  ON messages (conversation_id, transcript_entry_id)
  WHERE transcript_entry_id IS NOT NULL;
ALTER TABLE conversation_bootstrap_state ADD COLUMN session_header_id TEXT;
ALTER TABLE conversation_bootstrap_state ADD COLUMN last_processed_entry_id TEXT;
ALTER TABLE conversation_compaction_maintenance ADD COLUMN context_threshold REAL;
ALTER TABLE conversation_compaction_maintenance ADD COLUMN context_threshold_source TEXT;
INSERT INTO lcm_migration_state VALUES ('repairOpenClawMetadataIdentityState', 2, '2026-01-05 09:00:00');
