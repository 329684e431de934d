-- level 1.0.0-beta
-- needs pending_compaction_batches.batch_id pending_summary_nodes.node_id
INSERT OR IGNORE INTO pending_compaction_batches (batch_id, conversation_id, status, source_projection_fingerprint, compactable_start_ordinal, compactable_end_ordinal) VALUES ('pcb_noend', 1, 'planning', 'none', 2, 5);
INSERT OR IGNORE INTO pending_summary_nodes (node_id, batch_id, conversation_id, kind, status, ordinal_start, ordinal_end, source_fingerprint, lease_owner) VALUES ('psn_noend-leaf-2-5', 'pcb_noend', 1, 'leaf', 'running', 2, 5, 'none', 'engine:gone');
INSERT OR IGNORE INTO pending_summary_node_messages (node_id, message_id, ordinal) SELECT 'psn_noend-leaf-2-5', message_id, ordinal FROM context_items WHERE conversation_id = 1 AND ordinal BETWEEN 2 AND 5 AND message_id IS NOT NULL;
