-- needs conversations.active
UPDATE conversations SET archived_at = '2026-01-05 12:00:00' WHERE conversation_id = 1;
