UPDATE messages SET token_count = 30000 WHERE message_id = 7;
