INSERT OR IGNORE INTO conversations (conversation_id, session_id, created_at, updated_at) VALUES (900, 'nobody', '2026-01-05 09:00:00', '2026-01-05 09:00:00');
