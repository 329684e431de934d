DROP TABLE IF EXISTS message_parts;
