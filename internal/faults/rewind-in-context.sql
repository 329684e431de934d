-- level 1.0.0-beta
-- needs message_transcript_anchor_trust.trust_state
UPDATE messages SET transcript_entry_id = 'entry-' || message_id WHERE message_id IN (42, 44, 45);
INSERT OR REPLACE INTO message_transcript_anchor_trust (message_id, conversation_id, transcript_entry_id, trust_state, source, reason, verified_at, created_at, updated_at) VALUES (42, 1, 'entry-42', 'verified', 'projection-reconcile', 'entry id matches role and content', '2026-01-05T11:00:00.000Z', '2026-01-05 11:00:00', '2026-01-05 11:00:00'), (44, 1, 'entry-44', 'suspect', 'projection-audit', 'entry id missing from projection', NULL, '2026-01-05 11:00:00', '2026-01-05 11:00:00'), (45, 1, 'entry-45', 'suspect', 'projection-audit', 'entry id missing from projection', NULL, '2026-01-05 11:00:00', '2026-01-05 11:00:00');
