-- needs messages.identity_hash
UPDATE messages SET identity_hash = NULL WHERE message_id = 2;
UPDATE messages SET identity_hash = 'feedfacefeedfacefeedfacefeedfacefeedfacefeedfacefeedfacefeedface' WHERE message_id = 7;
