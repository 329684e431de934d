-- needs summaries_fts_cjk.content
DELETE FROM summaries_fts_cjk WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 2);
