-- index
UPDATE summaries SET content = content || char(10) || '[Capped from 900 tokens to ~40]', token_count = token_count + 8 WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 4) AND content NOT LIKE '%[Capped%';
