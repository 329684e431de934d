DELETE FROM message_parts WHERE message_id IN (7, 8);
