UPDATE messages SET created_at = '2026-01-05 09:30:00' WHERE message_id BETWEEN 20 AND 31;
