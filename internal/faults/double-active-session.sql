-- needs conversations.active
UPDATE conversations SET active = 1, archived_at = NULL, session_key = NULL, session_id = 'one-session';
