ALTER TABLE conversation_bootstrap_state ADD COLUMN fork_bounded INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversation_bootstrap_state ADD COLUMN fork_source_message_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversation_compaction_maintenance ADD COLUMN retry_attempts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversation_compaction_maintenance ADD COLUMN next_attempt_after TEXT;
ALTER TABLE conversation_compaction_maintenance ADD COLUMN projected_token_count INTEGER;
ALTER TABLE conversation_compaction_maintenance ADD COLUMN raw_tokens_outside_tail INTEGER;
