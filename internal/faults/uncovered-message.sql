DELETE FROM context_items WHERE conversation_id = 1 AND ordinal = (SELECT MAX(ordinal) FROM context_items WHERE conversation_id = 1)
  AND (SELECT COUNT(*) FROM context_items WHERE conversation_id = 1 AND item_type = 'message') = 15;
