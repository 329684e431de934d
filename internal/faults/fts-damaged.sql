UPDATE messages_fts_content SET c0 = 'words that nobody indexed' WHERE id = 7;
