-- index
UPDATE summaries SET content = '<think>What matters here?</think>' || content, token_count = token_count + 9 WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 4) AND content NOT LIKE '<think%';
