UPDATE message_parts SET ordinal = 5 WHERE message_id = 3 AND ordinal = 1;
