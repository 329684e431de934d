-- level 1.0.0-beta
-- needs message_transcript_anchor_trust.trust_state
UPDATE conversations SET session_id = (SELECT session_id FROM conversations WHERE conversation_id = 1) WHERE conversation_id = 2;
UPDATE messages SET transcript_entry_id = 'entry-shared' WHERE message_id IN (43, 52);
