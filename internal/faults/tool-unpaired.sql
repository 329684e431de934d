UPDATE message_parts SET tool_call_id = 'call_lostlostlostlost' WHERE message_id = 4;
