-- level 1.0.0-beta
-- needs message_transcript_anchor_trust.trust_state
INSERT OR IGNORE INTO turn_advancements (advancement_key, payload_hash, session_id, session_key, admission_entry_id, terminal_entry_id, message_count, committed_at) VALUES ('turn-1', '0f', 'session-deleted', 'agent:main:gone', 'entry-1', 'entry-2', 2, '2026-01-05 11:00:00'), ('turn-2', '1f', 'session-deleted', 'agent:main:gone', 'entry-3', 'entry-4', 2, '2026-01-05 11:01:00');
