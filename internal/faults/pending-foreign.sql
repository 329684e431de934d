-- level 1.0.0-beta
-- needs pending_compaction_batches.batch_id pending_summary_nodes.node_id
INSERT OR IGNORE INTO pending_compaction_batches (batch_id, conversation_id, status, source_projection_fingerprint, compactable_start_ordinal, compactable_end_ordinal) VALUES ('pcb_foreign', 1, 'planning', 'none', 2, 5);
INSERT OR IGNORE INTO pending_summary_nodes (node_id, batch_id, conversation_id, kind, status, ordinal_start, ordinal_end, source_fingerprint, content, token_count) VALUES ('psn_foreign-leaf-0-1', 'pcb_foreign', 2, 'leaf', 'ready', 0, 1, 'none', 'They found the flag, and three rows that differ.', 12);
INSERT OR IGNORE INTO pending_summary_node_messages (node_id, message_id, ordinal) SELECT 'psn_foreign-leaf-0-1', message_id, ordinal FROM context_items WHERE conversation_id = 2 AND ordinal BETWEEN 0 AND 1 AND message_id IS NOT NULL;
INSERT OR IGNORE INTO pending_summary_nodes (node_id, batch_id, conversation_id, kind, status, ordinal_start, ordinal_end, source_fingerprint, content, token_count) VALUES ('psn_other-leaf-2-5', 'pcb_foreign', 1, 'leaf', 'ready', 2, 5, 'none', 'They found the flag, and three rows that differ.', 12);
INSERT OR IGNORE INTO pending_summary_node_messages (node_id, message_id, ordinal) VALUES ('psn_other-leaf-2-5', 52, 0);
