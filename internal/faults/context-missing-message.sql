UPDATE context_items SET message_id = 999999 WHERE conversation_id = 1 AND ordinal = 4;
