-- level 1.0.0-beta
-- needs message_transcript_anchor_trust.trust_state
INSERT OR IGNORE INTO conversation_transcript_epochs (conversation_id, session_id, session_key, migration_mode, metadata_json, created_at, updated_at) VALUES (1, 'an-earlier-session', 'agent:main:main', 'legacy_prefix', '{"reason":"unproven transcript anchors","classification":"legacy_prefix"}', '2026-01-05 11:00:00', '2026-01-05 11:00:00');
