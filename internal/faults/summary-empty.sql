-- index
UPDATE summaries SET content = '[Truncated from 0 tokens]', token_count = 7 WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 4);
