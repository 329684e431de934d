-- The replica. Rows of files stand here as they are, so no table has foreign keys, NOT NULL or unique
-- keys of the format: a damaged file must fit.

CREATE TYPE lcm.message_role AS ENUM ('system', 'user', 'assistant', 'tool', 'other');
CREATE TYPE lcm.part_type AS ENUM ('text', 'reasoning', 'tool', 'patch', 'file', 'subtask', 'compaction', 'step_start',
	'step_finish', 'snapshot', 'agent', 'retry', 'other');
CREATE TYPE lcm.summary_kind AS ENUM ('leaf', 'condensed', 'other');
CREATE TYPE lcm.item_type AS ENUM ('message', 'summary', 'other');

-- A source is one database file of one machine.
CREATE TABLE lcm.sources (
	source_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	name text COLLATE "C" NOT NULL UNIQUE,
	host text NOT NULL,             -- The machine on which the file lies.
	path text NOT NULL,             -- Of the file on that machine.
	principal text NOT NULL,        -- Who synced: the user of that machine.
	origin text NOT NULL,           -- What synced: the program and its version.
	identity jsonb,                 -- By what the database is known again.
	kind text NOT NULL DEFAULT '',  -- The program that wrote the file.
	schema_level text NOT NULL DEFAULT '',
	generation text NOT NULL DEFAULT '',
	level text NOT NULL CHECK (level IN ('metrics', 'summaries', 'full')),
	redacted boolean NOT NULL DEFAULT false,
	tables jsonb,                   -- The file's tables by name, with their columns.
	statements jsonb,               -- The statements that make its tables and indexes, for a restore.
	structure text NOT NULL DEFAULT '', -- The file's tables, migrations and changes of this program at the last sync.
	stamp text NOT NULL DEFAULT '', -- What the file was like when everything was last equal.
	revision bigint NOT NULL DEFAULT 0, -- Another number after each sync that changed rows.
	file_bytes bigint NOT NULL DEFAULT 0,
	created_at timestamptz NOT NULL DEFAULT now(),
	synced_at timestamptz,          -- When the replica was last found equal to the file.
	compared_at timestamptz         -- When every byte of the file was last compared.
);

CREATE TABLE lcm.conversations (
	source_id bigint NOT NULL, sync_group bigint NOT NULL,
	conversation_id bigint, session_id text COLLATE "C", session_key text COLLATE "C", active boolean, archived_at timestamptz,
	archived_at_raw text COLLATE "C", archive_cause text COLLATE "C", title text COLLATE "C", bootstrapped_at timestamptz,
	bootstrapped_at_raw text COLLATE "C", created_at timestamptz, created_at_raw text COLLATE "C", updated_at timestamptz,
	updated_at_raw text COLLATE "C"
);
CREATE TABLE lcm.messages (
	source_id bigint NOT NULL, sync_group bigint NOT NULL,
	message_id bigint, conversation_id bigint, seq bigint, role lcm.message_role, role_raw text COLLATE "C", content text COLLATE "C",
	token_count bigint, identity_hash text COLLATE "C", openclaw_sender_metadata text COLLATE "C", transcript_entry_id text COLLATE "C",
	created_at timestamptz, created_at_raw text COLLATE "C", large_content text COLLATE "C", stable_event_key text COLLATE "C"
);
CREATE TABLE lcm.message_parts (
	source_id bigint NOT NULL, sync_group bigint NOT NULL,
	part_id text COLLATE "C", message_id bigint, session_id text COLLATE "C", part_type lcm.part_type, part_type_raw text COLLATE "C", ordinal bigint,
	text_content text COLLATE "C", is_ignored boolean, is_synthetic boolean, tool_call_id text COLLATE "C", tool_name text COLLATE "C",
	tool_status text COLLATE "C", tool_input text COLLATE "C", tool_output text COLLATE "C", tool_error text COLLATE "C", tool_title text COLLATE "C",
	patch_hash text COLLATE "C", patch_files text COLLATE "C", file_mime text COLLATE "C", file_name text COLLATE "C", file_url text COLLATE "C",
	subtask_prompt text COLLATE "C", subtask_desc text COLLATE "C", subtask_agent text COLLATE "C", step_reason text COLLATE "C",
	step_cost double precision, step_tokens_in bigint, step_tokens_out bigint, snapshot_hash text COLLATE "C", compaction_auto boolean,
	metadata text COLLATE "C"
);
CREATE TABLE lcm.summaries (
	source_id bigint NOT NULL, sync_group bigint NOT NULL,
	summary_id text COLLATE "C", conversation_id bigint, kind lcm.summary_kind, kind_raw text COLLATE "C", depth bigint, content text COLLATE "C",
	token_count bigint, earliest_at timestamptz, earliest_at_raw text COLLATE "C", latest_at timestamptz, latest_at_raw text COLLATE "C",
	descendant_count bigint, descendant_token_count bigint, source_message_token_count bigint, created_at timestamptz, created_at_raw text COLLATE "C",
	file_ids text COLLATE "C", model text COLLATE "C"
);
CREATE TABLE lcm.summary_messages (
	source_id bigint NOT NULL, sync_group bigint NOT NULL,
	summary_id text COLLATE "C", message_id bigint, ordinal bigint
);
CREATE TABLE lcm.summary_parents (
	source_id bigint NOT NULL, sync_group bigint NOT NULL,
	summary_id text COLLATE "C", parent_summary_id text COLLATE "C", ordinal bigint
);
CREATE TABLE lcm.context_items (
	source_id bigint NOT NULL, sync_group bigint NOT NULL,
	conversation_id bigint, ordinal bigint, item_type lcm.item_type, item_type_raw text COLLATE "C", message_id bigint, summary_id text COLLATE "C",
	created_at timestamptz, created_at_raw text COLLATE "C"
);
CREATE TABLE lcm.large_files (
	source_id bigint NOT NULL, sync_group bigint NOT NULL,
	file_id text COLLATE "C", conversation_id bigint, file_name text COLLATE "C", mime_type text COLLATE "C", byte_size bigint, line_count bigint,
	storage_uri text COLLATE "C", exploration_summary text COLLATE "C", created_at timestamptz, created_at_raw text COLLATE "C"
);
CREATE TABLE lcm.conversation_bootstrap_state (
	source_id bigint NOT NULL, sync_group bigint NOT NULL,
	conversation_id bigint, session_file_path text COLLATE "C", last_seen_size bigint, last_seen_mtime_ms bigint, last_processed_offset bigint,
	last_processed_entry_hash text COLLATE "C", session_header_id text COLLATE "C", last_processed_entry_id text COLLATE "C", fork_bounded boolean,
	fork_source_message_count bigint, soft_reset_pruned_at timestamptz, soft_reset_pruned_at_raw text COLLATE "C", updated_at timestamptz,
	updated_at_raw text COLLATE "C"
);
CREATE TABLE lcm.conversation_compaction_telemetry (
	source_id bigint NOT NULL, sync_group bigint NOT NULL,
	conversation_id bigint, last_observed_cache_read bigint, last_observed_cache_write bigint, last_observed_prompt_token_count bigint,
	last_observed_cache_hit_at timestamptz, last_observed_cache_hit_at_raw text COLLATE "C", last_observed_cache_break_at timestamptz,
	last_observed_cache_break_at_raw text COLLATE "C", cache_state text COLLATE "C", consecutive_cold_observations bigint, retention text COLLATE "C",
	last_leaf_compaction_at timestamptz, last_leaf_compaction_at_raw text COLLATE "C", turns_since_leaf_compaction bigint,
	tokens_accumulated_since_leaf_compaction bigint, last_activity_band text COLLATE "C", last_api_call_at timestamptz,
	last_api_call_at_raw text COLLATE "C", last_cache_touch_at timestamptz, last_cache_touch_at_raw text COLLATE "C", provider text COLLATE "C",
	model text COLLATE "C", updated_at timestamptz, updated_at_raw text COLLATE "C"
);
CREATE TABLE lcm.conversation_compaction_maintenance (
	source_id bigint NOT NULL, sync_group bigint NOT NULL,
	conversation_id bigint, pending bigint, requested_at timestamptz, requested_at_raw text COLLATE "C", reason text COLLATE "C", running bigint,
	last_started_at timestamptz, last_started_at_raw text COLLATE "C", last_finished_at timestamptz, last_finished_at_raw text COLLATE "C",
	last_failure_summary text COLLATE "C", token_budget bigint, current_token_count bigint, projected_token_count bigint, raw_tokens_outside_tail bigint,
	context_threshold double precision, context_threshold_source text COLLATE "C", context_fresh_tail_count bigint, context_leaf_chunk_tokens bigint,
	retry_attempts bigint, next_attempt_after timestamptz, next_attempt_after_raw text COLLATE "C", resolution_reason text COLLATE "C",
	resolved_at timestamptz, resolved_at_raw text COLLATE "C", maintenance_revision bigint, updated_at timestamptz, updated_at_raw text COLLATE "C"
);
CREATE TABLE lcm.focus_briefs (
	source_id bigint NOT NULL, sync_group bigint NOT NULL,
	brief_id text COLLATE "C", conversation_id bigint, session_key text COLLATE "C", prompt text COLLATE "C", content text COLLATE "C",
	status text COLLATE "C", token_count bigint, target_tokens bigint, covered_latest_at timestamptz, covered_latest_at_raw text COLLATE "C",
	covered_message_seq bigint, source_context_hash text COLLATE "C", generator_run_id text COLLATE "C", generator_session_key text COLLATE "C",
	raw_result_json text COLLATE "C", error text COLLATE "C", created_at timestamptz, created_at_raw text COLLATE "C", updated_at timestamptz,
	updated_at_raw text COLLATE "C", superseded_at timestamptz, superseded_at_raw text COLLATE "C"
);
CREATE TABLE lcm.focus_brief_sources (
	source_id bigint NOT NULL, sync_group bigint NOT NULL,
	brief_id text COLLATE "C", summary_id text COLLATE "C", ordinal bigint, role text COLLATE "C", created_at timestamptz,
	created_at_raw text COLLATE "C"
);
CREATE TABLE lcm.lcm_migration_state (
	source_id bigint NOT NULL, sync_group bigint NOT NULL,
	step_name text COLLATE "C", algorithm_version bigint, completed_at timestamptz, completed_at_raw text COLLATE "C"
);
CREATE TABLE lcm.message_transcript_anchor_trust (
	source_id bigint NOT NULL, sync_group bigint NOT NULL,
	message_id bigint, conversation_id bigint, transcript_entry_id text COLLATE "C", trust_state text COLLATE "C", source text COLLATE "C",
	reason text COLLATE "C", verified_at timestamptz, verified_at_raw text COLLATE "C", created_at timestamptz, created_at_raw text COLLATE "C",
	updated_at timestamptz, updated_at_raw text COLLATE "C"
);
CREATE TABLE lcm.conversation_transcript_epochs (
	source_id bigint NOT NULL, sync_group bigint NOT NULL,
	conversation_id bigint, session_id text COLLATE "C", session_key text COLLATE "C", frontier_entry_id text COLLATE "C", frontier_seq bigint,
	frontier_created_at timestamptz, frontier_created_at_raw text COLLATE "C", migration_mode text COLLATE "C", metadata_json text COLLATE "C",
	created_at timestamptz, created_at_raw text COLLATE "C", updated_at timestamptz, updated_at_raw text COLLATE "C"
);
CREATE TABLE lcm.turn_advancements (
	source_id bigint NOT NULL, sync_group bigint NOT NULL,
	advancement_key text COLLATE "C", payload_hash text COLLATE "C", session_id text COLLATE "C", session_key text COLLATE "C",
	admission_entry_id text COLLATE "C", terminal_entry_id text COLLATE "C", message_count bigint, committed_at timestamptz,
	committed_at_raw text COLLATE "C"
);
CREATE TABLE lcm.pending_compaction_batches (
	source_id bigint NOT NULL, sync_group bigint NOT NULL,
	batch_id text COLLATE "C", conversation_id bigint, session_key text COLLATE "C", session_target_json text COLLATE "C", status text COLLATE "C",
	source_projection_fingerprint text COLLATE "C", compactable_start_ordinal bigint, compactable_end_ordinal bigint,
	planned_fresh_tail_start_ordinal bigint, prompt_version text COLLATE "C", model text COLLATE "C", failure_summary text COLLATE "C",
	created_at timestamptz, created_at_raw text COLLATE "C", updated_at timestamptz, updated_at_raw text COLLATE "C", published_at timestamptz,
	published_at_raw text COLLATE "C"
);
CREATE TABLE lcm.pending_summary_nodes (
	source_id bigint NOT NULL, sync_group bigint NOT NULL,
	node_id text COLLATE "C", batch_id text COLLATE "C", conversation_id bigint, kind text COLLATE "C", depth bigint, status text COLLATE "C",
	ordinal_start bigint, ordinal_end bigint, source_fingerprint text COLLATE "C", source_context_hash text COLLATE "C", content text COLLATE "C",
	token_count bigint, prompt_version text COLLATE "C", model text COLLATE "C", canonical_summary_id text COLLATE "C", lease_owner text COLLATE "C",
	lease_expires_at timestamptz, lease_expires_at_raw text COLLATE "C", failure_summary text COLLATE "C", retry_count bigint,
	next_attempt_after timestamptz, next_attempt_after_raw text COLLATE "C", created_at timestamptz, created_at_raw text COLLATE "C",
	updated_at timestamptz, updated_at_raw text COLLATE "C", ready_at timestamptz, ready_at_raw text COLLATE "C", promoted_at timestamptz,
	promoted_at_raw text COLLATE "C"
);
CREATE TABLE lcm.pending_summary_node_messages (
	source_id bigint NOT NULL, sync_group bigint NOT NULL,
	node_id text COLLATE "C", message_id bigint, ordinal bigint, transcript_entry_id text COLLATE "C", identity_hash text COLLATE "C"
);
CREATE TABLE lcm.pending_summary_node_children (
	source_id bigint NOT NULL, sync_group bigint NOT NULL,
	node_id text COLLATE "C", ordinal bigint, child_node_id text COLLATE "C", child_summary_id text COLLATE "C"
);

-- Rows of other tables, and rows whose key no column can hold, as JSON: a BLOB is {"$blob": base64}, text that
-- isn't UTF-8 {"$text": base64}, a REAL {"$real": decimal}.
CREATE TABLE lcm.other_rows (
	source_id bigint NOT NULL, sync_group bigint NOT NULL,
	table_name text COLLATE "C" NOT NULL, row_number bigint NOT NULL, image json NOT NULL
);

-- The exact values of cells that their column can't hold.
CREATE TABLE lcm.odd_cells (
	source_id bigint NOT NULL, sync_group bigint NOT NULL,
	table_name text COLLATE "C" NOT NULL,
	row_key text COLLATE "C" NOT NULL, -- A JSON list of the key's values.
	column_name text COLLATE "C" NOT NULL,
	class text NOT NULL CHECK (class IN ('null', 'integer', 'real', 'text', 'blob')),
	bytes bytea                        -- Of a text or BLOB; a number is decimal.
);

-- What is known of each conversation of a source: by its digests a later sync knows what changed. A digest is the sum
-- of the digests of rows; those of messages and their parts stand apart from those of all other rows.
CREATE TABLE lcm.sync_conversations (
	source_id bigint NOT NULL,
	sync_group bigint NOT NULL,              -- The conversation, or the lowest number for rows of none.
	messages bigint NOT NULL DEFAULT 0, parts bigint NOT NULL DEFAULT 0, summaries bigint NOT NULL DEFAULT 0, row_count bigint NOT NULL DEFAULT 0,
	tokens bigint NOT NULL DEFAULT 0,        -- Of the messages.
	last_message bigint NOT NULL DEFAULT 0,  -- The highest message_id.
	index_digest bytea NOT NULL,             -- Of the columns of messages and parts that have indexes.
	message_digest bytea NOT NULL, other_digest bytea NOT NULL, -- Of everything but long texts, of which the lengths.
	full_message_digest bytea NOT NULL, full_other_digest bytea NOT NULL, -- Of every byte.
	search_from bigint,                      -- The last message in search_docs, where newer ones are missing there.
	PRIMARY KEY (source_id, sync_group)
);

-- What is known of the tables whose rows are images in other_rows.
CREATE TABLE lcm.sync_tables (
	source_id bigint NOT NULL,
	table_name text COLLATE "C" NOT NULL,
	row_count bigint NOT NULL, digest bytea NOT NULL,
	PRIMARY KEY (source_id, table_name)
);

-- Texts for searching, in pieces.
CREATE TABLE lcm.search_docs (
	source_id bigint NOT NULL, sync_group bigint NOT NULL,
	kind text NOT NULL CHECK (kind IN ('message', 'summary')),
	message_id bigint, summary_id text COLLATE "C",
	piece integer NOT NULL, start_at integer NOT NULL, -- From 0; in characters of the text.
	content_tsv tsvector NOT NULL
);

-- What the doctor found at the file.
CREATE TABLE lcm.findings (
	source_id bigint NOT NULL,
	fault text NOT NULL, conversation_id bigint, severity text NOT NULL, finding json NOT NULL,
	found_at timestamptz NOT NULL
);

-- Plans that are left for the machine that has the file.
CREATE TABLE lcm.orders (
	order_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	source_id bigint NOT NULL,
	principal text NOT NULL, origin text NOT NULL,
	title text NOT NULL, plan bytea NOT NULL,
	ordered_at timestamptz NOT NULL DEFAULT now(),
	state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'applied', 'refused')),
	answered_at timestamptz, answer text, record_id bigint
);

-- Who did what. Rows are only added: no role of this program may change or delete one.
CREATE TABLE lcm.audit (
	audit_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	at timestamptz NOT NULL DEFAULT now(),
	action text NOT NULL, -- sync, verify, forget, order, answer, restore, read
	source_id bigint,
	source_name text,
	principal text NOT NULL, origin text NOT NULL,
	database_user text NOT NULL DEFAULT session_user,
	detail jsonb NOT NULL DEFAULT '{}'
);

-- By group, a sync replaces rows; by the other columns, they are read.
CREATE INDEX conversations_group ON lcm.conversations (source_id, sync_group);
CREATE INDEX messages_group ON lcm.messages (source_id, sync_group);
CREATE INDEX message_parts_group ON lcm.message_parts (source_id, sync_group);
CREATE INDEX summaries_group ON lcm.summaries (source_id, sync_group);
CREATE INDEX summary_messages_group ON lcm.summary_messages (source_id, sync_group);
CREATE INDEX summary_parents_group ON lcm.summary_parents (source_id, sync_group);
CREATE INDEX context_items_group ON lcm.context_items (source_id, sync_group);
CREATE INDEX large_files_group ON lcm.large_files (source_id, sync_group);
CREATE INDEX conversation_bootstrap_state_group ON lcm.conversation_bootstrap_state (source_id, sync_group);
CREATE INDEX conversation_compaction_telemetry_group ON lcm.conversation_compaction_telemetry (source_id, sync_group);
CREATE INDEX conversation_compaction_maintenance_group ON lcm.conversation_compaction_maintenance (source_id, sync_group);
CREATE INDEX focus_briefs_group ON lcm.focus_briefs (source_id, sync_group);
CREATE INDEX focus_brief_sources_group ON lcm.focus_brief_sources (source_id, sync_group);
CREATE INDEX lcm_migration_state_group ON lcm.lcm_migration_state (source_id, sync_group);
CREATE INDEX message_transcript_anchor_trust_group ON lcm.message_transcript_anchor_trust (source_id, sync_group);
CREATE INDEX conversation_transcript_epochs_group ON lcm.conversation_transcript_epochs (source_id, sync_group);
CREATE INDEX turn_advancements_group ON lcm.turn_advancements (source_id, sync_group);
CREATE INDEX pending_compaction_batches_group ON lcm.pending_compaction_batches (source_id, sync_group);
CREATE INDEX pending_summary_nodes_group ON lcm.pending_summary_nodes (source_id, sync_group);
CREATE INDEX pending_summary_node_messages_group ON lcm.pending_summary_node_messages (source_id, sync_group);
CREATE INDEX pending_summary_node_children_group ON lcm.pending_summary_node_children (source_id, sync_group);
CREATE INDEX messages_conversation_id ON lcm.messages (source_id, conversation_id, seq);
CREATE INDEX messages_message_id ON lcm.messages (source_id, message_id) INCLUDE (token_count);
CREATE INDEX message_parts_message_id ON lcm.message_parts (source_id, message_id, ordinal);
CREATE INDEX summaries_summary_id ON lcm.summaries (source_id, summary_id);
CREATE INDEX summaries_conversation_id ON lcm.summaries (source_id, conversation_id);
CREATE INDEX summary_messages_summary_id ON lcm.summary_messages (source_id, summary_id, ordinal);
CREATE INDEX summary_messages_message_id ON lcm.summary_messages (source_id, message_id);
CREATE INDEX summary_parents_summary_id ON lcm.summary_parents (source_id, summary_id, ordinal);
CREATE INDEX summary_parents_parent_summary_id ON lcm.summary_parents (source_id, parent_summary_id);
CREATE INDEX context_items_conversation_id ON lcm.context_items (source_id, conversation_id, ordinal);
CREATE INDEX context_items_summary_id ON lcm.context_items (source_id, summary_id);
CREATE INDEX large_files_file_id ON lcm.large_files (source_id, file_id);
CREATE INDEX large_files_conversation_id ON lcm.large_files (source_id, conversation_id);
CREATE INDEX conversations_conversation_id ON lcm.conversations (source_id, conversation_id);
CREATE INDEX other_rows_group ON lcm.other_rows (source_id, table_name, sync_group);
CREATE INDEX odd_cells_group ON lcm.odd_cells (source_id, table_name, sync_group);
CREATE INDEX search_docs_group ON lcm.search_docs (source_id, sync_group);
CREATE INDEX search_docs_content ON lcm.search_docs USING gin (content_tsv);
CREATE INDEX sync_conversations_search ON lcm.sync_conversations (source_id) WHERE search_from IS NOT NULL;
CREATE INDEX findings_source ON lcm.findings (source_id);
CREATE INDEX orders_source ON lcm.orders (source_id, state);
CREATE INDEX audit_at ON lcm.audit (at);

-- What lcm_metrics reads: counts and times, and no text of a conversation.
CREATE VIEW lcm.source_metrics AS
	SELECT source_id, name, host, kind, schema_level, generation, level, redacted, revision, file_bytes, created_at, synced_at, compared_at
	FROM lcm.sources;
CREATE VIEW lcm.conversation_metrics AS
	SELECT source_id, sync_group AS conversation_id, messages, summaries, row_count, tokens FROM lcm.sync_conversations;
CREATE VIEW lcm.finding_metrics AS
	SELECT source_id, fault, severity, count(*) AS findings FROM lcm.findings GROUP BY source_id, fault, severity;
CREATE VIEW lcm.order_metrics AS
	SELECT source_id, state, count(*) AS orders FROM lcm.orders GROUP BY source_id, state;
