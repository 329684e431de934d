UPDATE context_items SET ordinal = ordinal + 100 WHERE conversation_id = 1 AND ordinal BETWEEN 5 AND 99;
