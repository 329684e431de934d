-- index
UPDATE summaries SET content = replace(hex(zeroblob(16000)), '00', 'so'), token_count = 8000 WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 4);
