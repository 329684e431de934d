-- level 1.0.0-beta
-- needs message_transcript_anchor_trust.trust_state
UPDATE messages SET transcript_entry_id = 'entry-' || message_id WHERE message_id IN (49, 50);
INSERT OR IGNORE INTO message_transcript_anchor_trust (message_id, conversation_id, transcript_entry_id, trust_state, source, reason, verified_at, created_at, updated_at) VALUES (49, 1, 'entry-49', 'verified', 'projection-reconcile', 'entry id matches role and content', '2026-01-05T11:00:00.000Z', '2026-01-05 11:00:00', '2026-01-05 11:00:00'), (50, 1, 'entry-nowhere', 'verified', 'projection-reconcile', 'entry id matches role and content', '2026-01-05T11:00:00.000Z', '2026-01-05 11:00:00', '2026-01-05 11:00:00');
