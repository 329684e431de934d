-- level 1.0.0-beta
-- needs message_transcript_anchor_trust.trust_state
INSERT OR REPLACE INTO conversation_transcript_epochs (conversation_id, session_id, session_key, migration_mode, metadata_json, created_at, updated_at) SELECT conversation_id, session_id, session_key, CASE conversation_id WHEN 1 THEN 'corrupt' ELSE 'legacy_prefix' END, '{"reason"', '2026-01-05 11:00:00', '2026-01-05 11:00:00' FROM conversations WHERE conversation_id IN (1, 2);
