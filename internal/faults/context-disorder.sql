UPDATE context_items SET ordinal = -70 WHERE conversation_id = 1 AND ordinal = 5 AND (SELECT created_at FROM context_items WHERE conversation_id = 1 AND ordinal = 5) < (SELECT created_at FROM context_items WHERE conversation_id = 1 AND ordinal = 8);
UPDATE context_items SET ordinal = 5 WHERE conversation_id = 1 AND ordinal = 8 AND EXISTS (SELECT 1 FROM context_items WHERE conversation_id = 1 AND ordinal = -70);
UPDATE context_items SET ordinal = 8 WHERE conversation_id = 1 AND ordinal = -70;
