UPDATE context_items SET summary_id = 'sum_ffffffffffffffff' WHERE conversation_id = 1 AND ordinal = 0;
