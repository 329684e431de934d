UPDATE context_items SET ordinal = -5 WHERE conversation_id = 1 AND ordinal = 4;
UPDATE context_items SET ordinal = -6 WHERE conversation_id = 1 AND ordinal = 5;
