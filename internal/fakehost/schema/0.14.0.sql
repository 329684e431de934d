ALTER TABLE conversations ADD COLUMN archive_cause TEXT;
ALTER TABLE large_files ADD COLUMN line_count INTEGER;
ALTER TABLE conversation_bootstrap_state ADD COLUMN soft_reset_pruned_at TEXT;
ALTER TABLE conversation_compaction_maintenance ADD COLUMN context_fresh_tail_count INTEGER;
ALTER TABLE conversation_compaction_maintenance ADD COLUMN context_leaf_chunk_tokens INTEGER;
