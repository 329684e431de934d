UPDATE messages SET role = 'assistant' WHERE message_id = 8;
