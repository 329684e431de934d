DELETE FROM context_items WHERE conversation_id = 1;
