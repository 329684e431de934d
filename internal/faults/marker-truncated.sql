-- index
UPDATE summaries SET content = content || char(10) || '[Truncated from 2314 tokens]', token_count = 200 WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 4) AND content NOT LIKE '%[Truncated%' AND content NOT LIKE '%[LCM fallback%';
