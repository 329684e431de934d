INSERT OR IGNORE INTO summary_parents (summary_id, parent_summary_id, ordinal) VALUES ((SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 5), 'sum_ffffffffffffffff', 2);
INSERT OR IGNORE INTO summary_parents (summary_id, parent_summary_id, ordinal) VALUES ('sum_eeeeeeeeeeeeeeee', (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 4), 0);
INSERT OR IGNORE INTO summary_messages (summary_id, message_id, ordinal) VALUES ((SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 1), 888888, 99);
INSERT OR IGNORE INTO summary_messages (summary_id, message_id, ordinal) VALUES ('sum_dddddddddddddddd', 1, 0);
