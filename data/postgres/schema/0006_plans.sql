-- NULL is the smallest value for SQLite, and the greatest for an index that says nothing: rows in the order of a file had to be sorted.

DROP INDEX lcm.messages_conversation_id, lcm.messages_message_id, lcm.message_parts_message_id, lcm.summary_messages_summary_id,
	lcm.summary_parents_summary_id, lcm.context_items_conversation_id, lcm.conversations_conversation_id;
CREATE INDEX messages_conversation_id ON lcm.messages (source_id, conversation_id NULLS FIRST, seq NULLS FIRST);
CREATE INDEX messages_message_id ON lcm.messages (source_id, message_id NULLS FIRST) INCLUDE (token_count);
CREATE INDEX message_parts_message_id ON lcm.message_parts (source_id, message_id NULLS FIRST, ordinal NULLS FIRST);
CREATE INDEX summary_messages_summary_id ON lcm.summary_messages (source_id, summary_id NULLS FIRST, ordinal NULLS FIRST);
CREATE INDEX summary_parents_summary_id ON lcm.summary_parents (source_id, summary_id NULLS FIRST, ordinal NULLS FIRST);
CREATE INDEX context_items_conversation_id ON lcm.context_items (source_id, conversation_id NULLS FIRST, ordinal NULLS FIRST);
CREATE INDEX conversations_conversation_id ON lcm.conversations (source_id, conversation_id NULLS FIRST);

-- A function that catches errors can't run where a statement uses several processes.
ALTER FUNCTION lcm.json_valid(text) PARALLEL UNSAFE;
ALTER FUNCTION lcm.json_cell(text, text) PARALLEL UNSAFE;
ALTER FUNCTION lcm.json_kind(text, text) PARALLEL UNSAFE;
