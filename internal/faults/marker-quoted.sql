-- index
UPDATE summaries SET content = 'The engine writes [Truncated from 512 tokens] at the end of a summary that failed; this one is whole and only quotes it.' || char(10) || content, token_count = 200 WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 4) AND content NOT LIKE '%[Truncated%' AND content NOT LIKE '%[LCM fallback%';
