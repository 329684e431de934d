-- needs conversations.archive_cause
DROP INDEX IF EXISTS conversations_active_session_key_idx;
UPDATE conversations SET active = 0, archived_at = '2026-01-05 12:00:00', archive_cause = 'rollover-fallback' WHERE conversation_id = 1;
UPDATE conversations SET active = 1, archived_at = NULL, archive_cause = NULL, session_key = 'agent:main:main' WHERE conversation_id = 2;
