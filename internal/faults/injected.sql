-- index
UPDATE messages SET content = '<relevant-memories>the ledger is old</relevant-memories> ' || content WHERE message_id = (SELECT message_id FROM context_items WHERE conversation_id = 1 AND message_id IS NOT NULL ORDER BY ordinal DESC LIMIT 1) AND content NOT LIKE '<rel%';
