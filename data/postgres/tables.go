package postgres

// coreTables are the tables of conversations, messages and summaries.
var coreTables = []Table{
	{Name: "conversations", Key: words("conversation_id"), Columns: columns(`
		conversation_id:integer session_id session_key active:boolean archived_at:instant archive_cause title bootstrapped_at:instant created_at:instant
		updated_at:instant`)},
	{Name: "messages", Key: words("message_id"), Columns: columns(`
		message_id:integer conversation_id:integer seq:integer role:enum:message_role content token_count:integer identity_hash openclaw_sender_metadata
		transcript_entry_id created_at:instant large_content stable_event_key`)},
	{Name: "message_parts", Key: words("part_id"), Columns: columns(`
		part_id message_id:integer session_id part_type:enum:part_type ordinal:integer text_content is_ignored:boolean is_synthetic:boolean tool_call_id
		tool_name tool_status tool_input tool_output tool_error tool_title patch_hash patch_files file_mime file_name file_url subtask_prompt subtask_desc
		subtask_agent step_reason step_cost:real step_tokens_in:integer step_tokens_out:integer snapshot_hash compaction_auto:boolean metadata`)},
	{Name: "summaries", Key: words("summary_id"), Columns: columns(`
		summary_id conversation_id:integer kind:enum:summary_kind depth:integer content token_count:integer earliest_at:millis latest_at:millis
		descendant_count:integer descendant_token_count:integer source_message_token_count:integer created_at:instant file_ids model`)},
	{Name: "summary_messages", Key: words("summary_id message_id"), Columns: columns(`
		summary_id message_id:integer ordinal:integer`)},
	{Name: "summary_parents", Key: words("summary_id parent_summary_id"), Columns: columns(`
		summary_id parent_summary_id ordinal:integer`)},
	{Name: "context_items", Key: words("conversation_id ordinal"), Columns: columns(`
		conversation_id:integer ordinal:integer item_type:enum:item_type message_id:integer summary_id created_at:instant`)},
	{Name: "large_files", Key: words("file_id"), Columns: columns(`
		file_id conversation_id:integer file_name mime_type byte_size:integer line_count:integer storage_uri exploration_summary created_at:instant`)},
}

// stateTables are the tables in which hosts keep what they are about to do. Those from
// message_transcript_anchor_trust on came with 1.0.
var stateTables = []Table{
	{Name: "conversation_bootstrap_state", Key: words("conversation_id"), Columns: columns(`
		conversation_id:integer session_file_path last_seen_size:integer last_seen_mtime_ms:integer last_processed_offset:integer last_processed_entry_hash
		session_header_id last_processed_entry_id fork_bounded:boolean fork_source_message_count:integer soft_reset_pruned_at:instant updated_at:instant`)},
	{Name: "conversation_compaction_telemetry", Key: words("conversation_id"), Columns: columns(`
		conversation_id:integer last_observed_cache_read:integer last_observed_cache_write:integer last_observed_prompt_token_count:integer
		last_observed_cache_hit_at:millis last_observed_cache_break_at:millis cache_state consecutive_cold_observations:integer retention
		last_leaf_compaction_at:millis turns_since_leaf_compaction:integer tokens_accumulated_since_leaf_compaction:integer last_activity_band
		last_api_call_at:millis last_cache_touch_at:millis provider model updated_at:instant`)},
	{Name: "conversation_compaction_maintenance", Key: words("conversation_id"), Columns: columns(`
		conversation_id:integer pending:integer requested_at:millis reason running:integer last_started_at:millis last_finished_at:millis
		last_failure_summary token_budget:integer current_token_count:integer projected_token_count:integer raw_tokens_outside_tail:integer
		context_threshold:real context_threshold_source context_fresh_tail_count:integer context_leaf_chunk_tokens:integer retry_attempts:integer
		next_attempt_after:millis resolution_reason resolved_at:millis maintenance_revision:integer updated_at:instant`)},
	{Name: "focus_briefs", Key: words("brief_id"), Columns: columns(`
		brief_id conversation_id:integer session_key prompt content status token_count:integer target_tokens:integer covered_latest_at:millis
		covered_message_seq:integer source_context_hash generator_run_id generator_session_key raw_result_json error created_at:instant updated_at:instant
		superseded_at:instant`)},
	{Name: "focus_brief_sources", Key: words("brief_id summary_id role"), Columns: columns(`
		brief_id summary_id ordinal:integer role created_at:instant`)},
	{Name: "lcm_migration_state", Key: words("step_name algorithm_version"), Columns: columns(`
		step_name algorithm_version:integer completed_at:instant`)},
	{Name: "message_transcript_anchor_trust", Key: words("message_id"), Columns: columns(`
		message_id:integer conversation_id:integer transcript_entry_id trust_state source reason verified_at:millis created_at:instant updated_at:instant`)},
	{Name: "conversation_transcript_epochs", Key: words("conversation_id"), Columns: columns(`
		conversation_id:integer session_id session_key frontier_entry_id frontier_seq:integer frontier_created_at:millis migration_mode metadata_json
		created_at:instant updated_at:instant`)},
	{Name: "turn_advancements", Key: words("advancement_key"), Columns: columns(`
		advancement_key payload_hash session_id session_key admission_entry_id terminal_entry_id message_count:integer committed_at:instant`)},
	{Name: "pending_compaction_batches", Key: words("batch_id"), Columns: columns(`
		batch_id conversation_id:integer session_key session_target_json status source_projection_fingerprint compactable_start_ordinal:integer
		compactable_end_ordinal:integer planned_fresh_tail_start_ordinal:integer prompt_version model failure_summary created_at:instant updated_at:instant
		published_at:instant`)},
	{Name: "pending_summary_nodes", Key: words("node_id"), Columns: columns(`
		node_id batch_id conversation_id:integer kind depth:integer status ordinal_start:integer ordinal_end:integer source_fingerprint source_context_hash
		content token_count:integer prompt_version model canonical_summary_id lease_owner lease_expires_at:millis failure_summary retry_count:integer
		next_attempt_after:millis created_at:instant updated_at:instant ready_at:millis promoted_at:instant`)},
	{Name: "pending_summary_node_messages", Key: words("node_id message_id"), Columns: columns(`
		node_id message_id:integer ordinal:integer transcript_entry_id identity_hash`)},
	{Name: "pending_summary_node_children", Key: words("node_id ordinal"), Columns: columns(`
		node_id ordinal:integer child_node_id child_summary_id`)},
}
