UPDATE summaries SET content = 'Rewritten body that speaks of a quokka and 袋鼠测试文字.', token_count = 24 WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 4);
DELETE FROM summaries_fts WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 1);
DELETE FROM messages_fts WHERE rowid = 7;
DELETE FROM messages_fts WHERE rowid = 777777;
INSERT INTO messages_fts(rowid, content) VALUES (777777, 'orphan row about wombats');
