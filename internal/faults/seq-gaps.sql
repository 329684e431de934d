UPDATE messages SET seq = seq + 300 WHERE conversation_id = 1 AND seq = (SELECT MAX(seq) FROM messages WHERE conversation_id = 1) AND seq < 300;
