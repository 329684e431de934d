-- needs conversations.active
DROP INDEX IF EXISTS conversations_active_session_key_idx;
UPDATE conversations SET active = 1, archived_at = NULL, session_key = 'agent:main:main';
