ALTER TABLE messages ADD COLUMN openclaw_sender_metadata TEXT;
ALTER TABLE messages ADD COLUMN stable_event_key TEXT;
CREATE UNIQUE INDEX messages_stable_event_key_unique
  ON messages (conversation_id, stable_event_key)
  WHERE stable_event_key IS NOT NULL;
