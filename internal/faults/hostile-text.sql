-- index
UPDATE messages SET content = char(27) || '[2J' || char(27) || '[31mred' || char(27) || ']0;owned' || char(7) || ' ' ||
  char(27) || ']52;c;cm0gLXJmIH4=' || char(7) || char(27) || 'P+q544e' || char(27) || '\' || char(27) || 'c' WHERE message_id = 2;
UPDATE messages SET content = 'eight bit: ' || char(155) || '31m' || char(157) || '52;c;AAAA' || char(156) || char(144) || 'q' || char(156) WHERE message_id = 5;
UPDATE messages SET content = 'bidi: ' || char(8238) || 'txt.exe' || char(8236) || ' ' || char(8294) || 'x' || char(8297) || ' zero' || char(8203, 8205, 65279) || 'width' || char(13) || 'overwritten' || char(8, 8, 8) WHERE message_id = 7;
UPDATE messages SET content = replace(hex(zeroblob(524288)), '0', 'x') WHERE message_id = 8;
UPDATE messages SET content = 'e' || replace(hex(zeroblob(200)), '0', char(769)) || ' ' || char(128105, 8205, 128105, 8205, 128103) WHERE message_id = 9;
UPDATE conversations SET title = char(27) || ']8;;http://example.invalid/' || char(27) || '\link' || char(10) || 'two lines' WHERE conversation_id = 1;
UPDATE conversations SET session_id = char(27) || '[1m' || 'session' || char(9) || char(127) WHERE conversation_id = 2;
UPDATE summaries SET content = '<script>' || char(27) || ']52;c;ZXZpbA==' || char(27) || '\' || char(155) || '2J' || char(10) || '# ' || char(8237) || 'evil' WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id=1 ORDER BY rowid LIMIT 1 OFFSET 4);
UPDATE message_parts SET tool_name = char(27) || '[7m' || 'exec' || char(10) || 'x', tool_input = '{"command":"' || char(155) || '5m"}' WHERE message_id = 3 AND ordinal = 1;
UPDATE large_files SET file_name = '../' || char(27) || '[5m' || char(8238) || 'gpj.sh' WHERE conversation_id = 1;
