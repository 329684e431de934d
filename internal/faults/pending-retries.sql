-- level 1.0.0-beta
-- needs pending_compaction_batches.batch_id pending_summary_nodes.node_id
INSERT OR IGNORE INTO pending_compaction_batches (batch_id, conversation_id, status, source_projection_fingerprint, compactable_start_ordinal, compactable_end_ordinal) VALUES ('pcb_retries', 1, 'planning', 'none', 2, 5);
INSERT OR IGNORE INTO pending_summary_nodes (node_id, batch_id, conversation_id, kind, status, ordinal_start, ordinal_end, source_fingerprint, retry_count, failure_summary) VALUES ('psn_used-leaf-2-3', 'pcb_retries', 1, 'leaf', 'failed', 2, 3, 'none', 3, 'timeout');
INSERT OR IGNORE INTO pending_summary_node_messages (node_id, message_id, ordinal) SELECT 'psn_used-leaf-2-3', message_id, ordinal FROM context_items WHERE conversation_id = 1 AND ordinal BETWEEN 2 AND 3 AND message_id IS NOT NULL;
INSERT OR IGNORE INTO pending_summary_nodes (node_id, batch_id, conversation_id, kind, status, ordinal_start, ordinal_end, source_fingerprint, retry_count, failure_summary, next_attempt_after) VALUES ('psn_waits-leaf-4-5', 'pcb_retries', 1, 'leaf', 'failed', 4, 5, 'none', 2, 'refused', '2026-01-05T10:00:00.000Z');
INSERT OR IGNORE INTO pending_summary_node_messages (node_id, message_id, ordinal) SELECT 'psn_waits-leaf-4-5', message_id, ordinal FROM context_items WHERE conversation_id = 1 AND ordinal BETWEEN 4 AND 5 AND message_id IS NOT NULL;
