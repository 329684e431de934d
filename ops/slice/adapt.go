package slice

import (
	"context"

	"lcm-tui/data"
)

// adapt makes the changes that were asked for to the copied rows.
func (w *writer) adapt(ctx context.Context) error {
	if len(w.result.Cut) > 0 {
		if err := w.cutLinks(ctx); err != nil {
			return err
		}
	}
	one := w.db.Kind().Generation == data.GenerationOne
	if (w.request.Detach || w.request.ForgetPaths) && w.table("conversation_bootstrap_state") != nil {
		var err error
		if w.result.Detached, err = w.change(ctx, "conversation_bootstrap_state", "UPDATE main.conversation_bootstrap_state SET session_file_path = '' WHERE session_file_path <> ''"); err != nil {
			return err
		}
	}
	if w.request.Archive || w.request.Detach && one {
		if err := w.archive(ctx); err != nil {
			return err
		}
	}
	if w.request.FilesTo != "" {
		if err := w.copyFiles(ctx); err != nil {
			return err
		}
	}
	if err := w.listActive(ctx); err != nil {
		return err
	}
	w.result.EndedElsewhere = one && len(w.result.Active) > 0
	return nil
}

// cutLinks deletes the links and context items whose other ends weren't copied. Contexts stay
// without gaps.
func (w *writer) cutLinks(ctx context.Context) error {
	for table := range w.result.Cut {
		w.changed[table] = true
	}
	for _, statement := range []string{
		`DELETE FROM main.summary_messages WHERE message_id NOT IN (SELECT message_id FROM main.messages)
			AND message_id IN (SELECT message_id FROM source.messages)`,
		`DELETE FROM main.summary_parents WHERE parent_summary_id NOT IN (SELECT summary_id FROM main.summaries)
			AND parent_summary_id IN (SELECT summary_id FROM source.summaries)`,
	} {
		if _, err := w.exec(ctx, statement); err != nil {
			return err
		}
	}
	if w.planned(data.PendingBatchTable) {
		if err := w.deletePending(ctx, cutBatches(w)); err != nil {
			return err
		}
	}
	if w.result.Cut["context_items"] == 0 {
		return nil
	}
	for _, statement := range []string{
		`CREATE TEMP TABLE gap AS SELECT DISTINCT c.conversation_id AS id FROM main.context_items c
			WHERE c.message_id NOT IN (SELECT message_id FROM main.messages) OR c.summary_id NOT IN (SELECT summary_id FROM main.summaries)`,
		`DELETE FROM main.context_items WHERE message_id NOT IN (SELECT message_id FROM main.messages)
			OR summary_id NOT IN (SELECT summary_id FROM main.summaries)`,
		`CREATE TEMP TABLE place AS SELECT rowid AS id, row_number() OVER (PARTITION BY conversation_id ORDER BY ordinal) - 1 AS ordinal
			FROM main.context_items WHERE conversation_id IN (SELECT id FROM temp.gap)`,
		// Two steps, since no two items of a context may have one ordinal in between.
		"UPDATE main.context_items SET ordinal = -1 - ordinal WHERE conversation_id IN (SELECT id FROM temp.gap)",
		"UPDATE main.context_items SET ordinal = p.ordinal FROM temp.place p WHERE p.id = main.context_items.rowid",
	} {
		if _, err := w.exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// cutBatches returns the query for the batches that a host can't publish from the copy: of conversations whose
// contexts lose items, and those with a node that is made of what wasn't copied.
func cutBatches(w *writer) string {
	cut := `SELECT b.batch_id FROM main.pending_compaction_batches b JOIN main.context_items c ON c.conversation_id = b.conversation_id
			WHERE c.message_id NOT IN (SELECT message_id FROM main.messages) OR c.summary_id NOT IN (SELECT summary_id FROM main.summaries)`
	if w.planned(data.PendingNodeTable) && w.planned(data.PendingNodeMessageTable) {
		cut += ` UNION SELECT n.batch_id FROM main.pending_summary_nodes n JOIN main.pending_summary_node_messages l ON l.node_id = n.node_id
			WHERE l.message_id NOT IN (SELECT message_id FROM main.messages)`
	}
	if w.planned(data.PendingNodeTable) && w.planned(data.PendingNodeChildTable) {
		cut += ` UNION SELECT n.batch_id FROM main.pending_summary_nodes n JOIN main.pending_summary_node_children l ON l.node_id = n.node_id
			WHERE l.child_summary_id NOT IN (SELECT summary_id FROM main.summaries)`
	}
	return cut
}

// archive ends the active conversations as a host does: without work that is owed, and without
// summaries that wait to be published.
func (w *writer) archive(ctx context.Context) error {
	schema := w.db.Schema()
	if !schema.Has("conversations", "active") {
		return nil
	}
	set := "active = 0"
	if schema.Has("conversations", "archived_at") {
		set += ", archived_at = coalesce(archived_at, ?1)"
	}
	if schema.Has("conversations", "archive_cause") {
		set += ", archive_cause = coalesce(archive_cause, 'session-end')"
	}
	var err error
	if w.result.Archived, err = w.change(ctx, "conversations", "UPDATE main.conversations SET "+set+" WHERE active <> 0", data.FormatTime(w.db.Now().UTC())); err != nil {
		return err
	}
	if schema.Has("conversation_compaction_maintenance", "pending", "running") {
		if _, err := w.change(ctx, "conversation_compaction_maintenance", "UPDATE main.conversation_compaction_maintenance SET pending = 0, running = 0 WHERE pending <> 0 OR running <> 0"); err != nil {
			return err
		}
	}
	if !schema.Has(data.PendingBatchTable, "batch_id", "status") {
		return nil
	}
	return w.deletePending(ctx, "SELECT batch_id FROM main."+data.PendingBatchTable) // A host never publishes them.
}

// deletePending deletes the pending batches that a query names, with their nodes.
func (w *writer) deletePending(ctx context.Context, batches string) error {
	if _, err := w.exec(ctx, "CREATE TEMP TABLE gone AS "+batches); err != nil {
		return err
	}
	const of = " WHERE batch_id IN (SELECT batch_id FROM temp.gone)"
	ofNodes := " WHERE node_id IN (SELECT node_id FROM main." + data.PendingNodeTable + of + ")"
	for _, from := range []struct{ table, where string }{
		{data.PendingNodeMessageTable, ofNodes}, {data.PendingNodeChildTable, ofNodes}, {data.PendingNodeTable, of}, {data.PendingBatchTable, of},
	} {
		if !w.planned(from.table) {
			continue
		}
		if _, err := w.change(ctx, from.table, "DELETE FROM main."+from.table+from.where); err != nil {
			return err
		}
	}
	_, err := w.exec(ctx, "DROP TABLE temp.gone")
	return err
}

// listActive lists the conversations of the new file that go on.
func (w *writer) listActive(ctx context.Context) error {
	if !w.db.Schema().Has("conversations", "active") {
		return nil
	}
	return w.each(ctx, "SELECT conversation_id FROM main.conversations WHERE active <> 0 ORDER BY 1", func(scan data.RowScanner) error {
		var id int64
		err := scan(&id)
		w.result.Active = append(w.result.Active, id)
		return err
	})
}
