INSERT OR IGNORE INTO summary_messages (summary_id, message_id, ordinal)
  SELECT (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 1), message_id, 50 FROM summary_messages WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 0) AND ordinal = 0;
