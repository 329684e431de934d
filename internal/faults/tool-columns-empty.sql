-- needs lcm_migration_state.step_name
UPDATE message_parts SET tool_call_id = NULL, tool_name = NULL, tool_input = NULL WHERE message_id = 3 AND ordinal = 1;
