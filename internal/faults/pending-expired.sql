-- level 1.0.0-beta
-- needs pending_compaction_batches.batch_id pending_summary_nodes.node_id
INSERT OR IGNORE INTO pending_compaction_batches (batch_id, conversation_id, status, source_projection_fingerprint, compactable_start_ordinal, compactable_end_ordinal, failure_summary, updated_at) VALUES ('pcb_expired', 1, 'stale', 'none', 2, 5, 'pending batch range is no longer compactable', '2026-01-05 10:00:00');
INSERT OR IGNORE INTO pending_summary_nodes (node_id, batch_id, conversation_id, kind, status, ordinal_start, ordinal_end, source_fingerprint, content, token_count) VALUES ('psn_expired-leaf-2-5', 'pcb_expired', 1, 'leaf', 'stale', 2, 5, 'none', 'They found the flag, and three rows that differ.', 12);
INSERT OR IGNORE INTO pending_summary_node_messages (node_id, message_id, ordinal) SELECT 'psn_expired-leaf-2-5', message_id, ordinal FROM context_items WHERE conversation_id = 1 AND ordinal BETWEEN 2 AND 5 AND message_id IS NOT NULL;
