INSERT INTO context_items (conversation_id, ordinal, item_type, message_id, created_at)
  SELECT 1, (SELECT MAX(ordinal) + 1 FROM context_items WHERE conversation_id = 1), 'message', message_id, '2026-01-05 12:00:00'
  FROM context_items WHERE conversation_id = 1 AND ordinal = 4
  AND NOT EXISTS (SELECT 1 FROM context_items WHERE conversation_id = 1 GROUP BY message_id HAVING message_id IS NOT NULL AND COUNT(*) > 1);
