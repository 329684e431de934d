-- NULL is the smallest value for SQLite, and the greatest for an index that says nothing: rows in the order of a file had to be sorted.

-- An index of a table that was divided has another name.
DO $$
DECLARE
	old text;
BEGIN
	FOR old IN
		SELECT i.indexrelid::regclass::text
		FROM (VALUES ('messages', 'conversation_id, seq)'), ('messages', 'message_id) INCLUDE (token_count)'), ('message_parts', 'message_id, ordinal)'),
			('summary_messages', 'summary_id, ordinal)'), ('summary_parents', 'summary_id, ordinal)'), ('context_items', 'conversation_id, ordinal)'),
			('conversations', 'conversation_id)')) AS o(name, columns)
		JOIN pg_index i ON i.indrelid = to_regclass('lcm.' || o.name) AND pg_get_indexdef(i.indexrelid) LIKE '%(source_id, ' || o.columns
	LOOP
		EXECUTE 'DROP INDEX ' || old;
	END LOOP;
END $$;
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
