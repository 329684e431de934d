-- level 1.0.0-beta
-- needs message_transcript_anchor_trust.trust_state
UPDATE messages SET transcript_entry_id = 'entry-' || message_id WHERE message_id IN (40, 41, 53);
