-- needs messages.transcript_entry_id
DROP INDEX IF EXISTS messages_conv_entry_unique_idx;
UPDATE messages SET transcript_entry_id = 'entry-7' WHERE message_id IN (7, 9);
