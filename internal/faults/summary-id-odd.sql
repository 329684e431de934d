-- index
UPDATE summary_messages SET summary_id = 'odd_1' WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 4) AND NOT EXISTS (SELECT 1 FROM summaries WHERE summary_id = 'odd_1');
UPDATE context_items SET summary_id = 'odd_1' WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 4) AND NOT EXISTS (SELECT 1 FROM summaries WHERE summary_id = 'odd_1');
UPDATE summaries SET summary_id = 'odd_1' WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 4);
