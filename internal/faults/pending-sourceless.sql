-- level 1.0.0-beta
-- needs pending_compaction_batches.batch_id pending_summary_nodes.node_id
INSERT OR IGNORE INTO pending_compaction_batches (batch_id, conversation_id, status, source_projection_fingerprint, compactable_start_ordinal, compactable_end_ordinal) VALUES ('pcb_sourceless', 1, 'planning', 'none', 2, 9);
INSERT OR IGNORE INTO pending_summary_nodes (node_id, batch_id, conversation_id, kind, status, ordinal_start, ordinal_end, source_fingerprint) VALUES ('psn_leaf-leaf-2-3', 'pcb_sourceless', 1, 'leaf', 'planned', 2, 3, 'none');
INSERT OR IGNORE INTO pending_summary_nodes (node_id, batch_id, conversation_id, kind, status, ordinal_start, ordinal_end, source_fingerprint, depth) VALUES ('psn_parent-condensed-d1-2-5', 'pcb_sourceless', 1, 'condensed', 'planned', 2, 5, 'none', 1);
INSERT OR IGNORE INTO pending_summary_nodes (node_id, batch_id, conversation_id, kind, status, ordinal_start, ordinal_end, source_fingerprint, depth) VALUES ('psn_link-condensed-d1-6-9', 'pcb_sourceless', 1, 'condensed', 'planned', 6, 9, 'none', 1);
INSERT OR IGNORE INTO pending_summary_node_children (node_id, ordinal, child_node_id) VALUES ('psn_link-condensed-d1-6-9', 0, 'psn_gone-leaf-6-9');
