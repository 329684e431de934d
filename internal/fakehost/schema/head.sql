ALTER TABLE conversation_compaction_maintenance ADD COLUMN resolution_reason TEXT;
ALTER TABLE conversation_compaction_maintenance ADD COLUMN resolved_at TEXT;
ALTER TABLE conversation_compaction_maintenance ADD COLUMN maintenance_revision INTEGER NOT NULL DEFAULT 0;
