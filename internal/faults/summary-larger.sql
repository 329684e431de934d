-- needs summaries.source_message_token_count
UPDATE summaries SET source_message_token_count = 5 WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 4);
