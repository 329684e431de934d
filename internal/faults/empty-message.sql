DELETE FROM message_parts WHERE message_id = 3;
