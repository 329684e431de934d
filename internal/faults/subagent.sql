-- needs conversations.session_key
UPDATE conversations SET session_key = 'agent:main:subagent:1' WHERE conversation_id = 1;
