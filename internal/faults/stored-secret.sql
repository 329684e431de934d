UPDATE conversations SET title = 'connect to postgres://app:' || 'tr7kq2mz9w' || '@db.internal/app' WHERE conversation_id = (SELECT min(conversation_id) FROM conversations);
