-- needs summaries.descendant_token_count
UPDATE summaries SET descendant_count = 77, descendant_token_count = 7, source_message_token_count = 1 WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 7);
UPDATE summaries SET source_message_token_count = 3 WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 4);
