ALTER TABLE messages ADD COLUMN large_content TEXT;
