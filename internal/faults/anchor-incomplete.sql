-- level 1.0.0-beta
-- needs message_transcript_anchor_trust.trust_state
UPDATE messages SET transcript_entry_id = 'entry-47' WHERE message_id = 47;
INSERT OR IGNORE INTO message_transcript_anchor_trust (message_id, conversation_id, transcript_entry_id, trust_state, source, reason, verified_at, created_at, updated_at) VALUES (46, 1, NULL, 'repaired', 'projection-reconcile', NULL, '2026-01-05T11:00:00.000Z', '2026-01-05 11:00:00', '2026-01-05 11:00:00'), (47, 1, 'entry-47', 'verified', 'projection-reconcile', NULL, NULL, '2026-01-05 11:00:00', '2026-01-05 11:00:00');
