ALTER TABLE conversations ADD COLUMN session_key TEXT;
CREATE UNIQUE INDEX conversations_session_key_idx ON conversations (session_key) WHERE session_key IS NOT NULL;
