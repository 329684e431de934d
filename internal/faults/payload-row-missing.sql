-- needs messages.large_content
UPDATE messages SET large_content = 'file_00000000deadbeef' WHERE message_id = 7;
