-- index
UPDATE summaries SET content = substr(content, 1, 40) || char(10) || '[LCM fallback summary; truncated for context management]', token_count = 25
	WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 4) AND content NOT LIKE '%[LCM fallback%';
UPDATE messages SET content = '[LCM Forgotten: ' || role || ' message ' || seq || ', ' || substr(created_at, 1, 10) || ', ' || length(CAST(content AS BLOB)) || ' bytes]'
	WHERE content NOT LIKE '[LCM Forgotten: %' AND message_id IN (SELECT message_id FROM summary_messages
	WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 4));
