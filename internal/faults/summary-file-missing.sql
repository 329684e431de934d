UPDATE summaries SET file_ids = '["file_00000000deadbeef"]' WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 4);
