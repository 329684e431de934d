UPDATE summaries SET earliest_at = '2025-12-24T00:00:00.000Z' WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 5);
