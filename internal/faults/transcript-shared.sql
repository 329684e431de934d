-- needs conversation_bootstrap_state.last_processed_offset conversations.active
UPDATE conversations SET active = 1, archived_at = NULL WHERE conversation_id = 2;
INSERT OR IGNORE INTO conversation_bootstrap_state (conversation_id, session_file_path, last_seen_size, last_seen_mtime_ms, last_processed_offset) SELECT 2, session_file_path, last_seen_size, last_seen_mtime_ms, last_processed_offset FROM conversation_bootstrap_state WHERE conversation_id = 1;
