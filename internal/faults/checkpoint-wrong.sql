-- needs conversation_bootstrap_state.last_processed_offset
UPDATE conversation_bootstrap_state SET last_processed_offset = 99999 WHERE conversation_id = 1;
