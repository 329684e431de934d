INSERT OR IGNORE INTO conversations (conversation_id, session_id, created_at, updated_at) VALUES (950, 'copied', '2026-01-05 09:00:00', '2026-01-05 09:00:00');
UPDATE sqlite_sequence SET seq = 2 WHERE name = 'conversations';
