UPDATE context_items SET message_id = (SELECT MIN(message_id) FROM messages WHERE conversation_id = 2) WHERE conversation_id = 1 AND ordinal = 4;
INSERT OR IGNORE INTO summary_messages (summary_id, message_id, ordinal)
  VALUES ((SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 1), (SELECT MIN(message_id) FROM messages WHERE conversation_id = 2), 20);
