-- needs summaries.model
UPDATE summaries SET model = 'unknown' WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 4);
