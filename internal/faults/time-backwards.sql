UPDATE messages SET created_at = '2026-01-05 07:00:00' WHERE message_id = 7;
