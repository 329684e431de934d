UPDATE messages SET token_count = 2 WHERE message_id = 7;
UPDATE messages SET token_count = token_count * 10 WHERE message_id = 9 AND token_count < 100;
