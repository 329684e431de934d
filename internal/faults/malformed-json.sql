UPDATE message_parts SET metadata = '{"originalRole":"user","raw":' WHERE message_id = 2;
UPDATE message_parts SET tool_input = '{path: internal/' WHERE message_id = 3 AND ordinal = 1;
UPDATE summaries SET file_ids = '[file_' WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 4);
