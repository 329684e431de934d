-- index
UPDATE messages SET content = 'HEARTBEAT_OK' WHERE message_id = 7;
