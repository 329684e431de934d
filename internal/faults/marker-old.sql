-- index
UPDATE summaries SET content = '[LCM fallback summary; truncated for context management]' || char(10) || content, token_count = 200 WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 4) AND content NOT LIKE '%[Truncated%' AND content NOT LIKE '%[LCM fallback%';
