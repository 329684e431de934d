-- index
INSERT OR IGNORE INTO summaries (summary_id, conversation_id, kind, depth, content, token_count, earliest_at, latest_at, created_at)
  SELECT 'sum_0bad0bad0bad0bad', 1, 'leaf', 0, 'A sweep that died left this behind.', 9, earliest_at, latest_at, '2026-01-05 12:00:00' FROM summaries WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 4);
INSERT OR IGNORE INTO summary_messages (summary_id, message_id, ordinal)
  SELECT 'sum_0bad0bad0bad0bad', message_id, ordinal - 4 FROM context_items WHERE conversation_id = 1 AND ordinal IN (4, 5) AND item_type = 'message';
