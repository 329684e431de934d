-- level 1.0.0-beta
-- needs pending_compaction_batches.batch_id pending_summary_nodes.node_id
INSERT OR IGNORE INTO pending_compaction_batches (batch_id, conversation_id, status, source_projection_fingerprint, compactable_start_ordinal, compactable_end_ordinal) VALUES ('pcb_text', 1, 'planning', 'none', 2, 5);
INSERT OR IGNORE INTO pending_summary_nodes (node_id, batch_id, conversation_id, kind, status, ordinal_start, ordinal_end, source_fingerprint, content, token_count) VALUES ('psn_blank-leaf-2-3', 'pcb_text', 1, 'leaf', 'ready', 2, 3, 'none', '  ', 1);
INSERT OR IGNORE INTO pending_summary_node_messages (node_id, message_id, ordinal) SELECT 'psn_blank-leaf-2-3', message_id, ordinal FROM context_items WHERE conversation_id = 1 AND ordinal BETWEEN 2 AND 3 AND message_id IS NOT NULL;
INSERT OR IGNORE INTO pending_summary_nodes (node_id, batch_id, conversation_id, kind, status, ordinal_start, ordinal_end, source_fingerprint, content) VALUES ('psn_uncounted-leaf-4-5', 'pcb_text', 1, 'leaf', 'ready', 4, 5, 'none', 'They found the flag.');
INSERT OR IGNORE INTO pending_summary_node_messages (node_id, message_id, ordinal) SELECT 'psn_uncounted-leaf-4-5', message_id, ordinal FROM context_items WHERE conversation_id = 1 AND ordinal BETWEEN 4 AND 5 AND message_id IS NOT NULL;
