UPDATE summaries SET depth = 4 WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 5);
UPDATE summaries SET depth = 2 WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 4);
