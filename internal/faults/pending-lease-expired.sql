-- level 1.0.0-beta
-- needs pending_compaction_batches.batch_id pending_summary_nodes.node_id
INSERT OR IGNORE INTO pending_compaction_batches (batch_id, conversation_id, status, source_projection_fingerprint, compactable_start_ordinal, compactable_end_ordinal) VALUES ('pcb_lease', 1, 'planning', 'none', 2, 5);
INSERT OR IGNORE INTO pending_summary_nodes (node_id, batch_id, conversation_id, kind, status, ordinal_start, ordinal_end, source_fingerprint, lease_owner, lease_expires_at) VALUES ('psn_lease-leaf-2-5', 'pcb_lease', 1, 'leaf', 'running', 2, 5, 'none', 'engine:gone', '2026-01-05T10:00:00.000Z');
INSERT OR IGNORE INTO pending_summary_node_messages (node_id, message_id, ordinal) SELECT 'psn_lease-leaf-2-5', message_id, ordinal FROM context_items WHERE conversation_id = 1 AND ordinal BETWEEN 2 AND 5 AND message_id IS NOT NULL;
