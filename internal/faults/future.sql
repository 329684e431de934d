UPDATE messages SET created_at = '2199-01-01 00:00:00' WHERE message_id = 7;
