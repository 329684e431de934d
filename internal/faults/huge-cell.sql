-- index
UPDATE messages SET content = replace(hex(zeroblob(1310720)), '00', 'word'), token_count = 1310720 WHERE message_id = 7;
