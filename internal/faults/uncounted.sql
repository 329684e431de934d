UPDATE messages SET token_count = 0 WHERE message_id = 7;
UPDATE messages SET token_count = -3 WHERE message_id = 8;
