-- index
DELETE FROM message_parts WHERE message_id = 4;
DELETE FROM messages WHERE message_id = 4;
DELETE FROM summaries WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 0) AND (SELECT COUNT(*) FROM summaries WHERE conversation_id = 1) = 8;
