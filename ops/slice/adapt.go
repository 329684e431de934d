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
	if w.request.Detach && w.table("conversation_bootstrap_state") != nil {
		var err error
		if w.result.Detached, err = w.change(ctx, "conversation_bootstrap_state", "UPDATE main.conversation_bootstrap_state SET session_file_path = '' WHERE session_file_path <> ''"); err != nil {
			return err
		}
	}
	if w.request.Archive {
		if err := w.archive(ctx); err != nil {
			return err
		}
	}
	if w.request.FilesTo != "" {
		if err := w.copyFiles(ctx); err != nil {
			return err
		}
	}
	return w.listActive(ctx)
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
	return w.deletePending(ctx)
}

// deletePending deletes the pending batches with their nodes: a batch of an archived conversation
// is never published.
func (w *writer) deletePending(ctx context.Context) error {
	for _, name := range []string{data.PendingNodeMessageTable, data.PendingNodeChildTable, data.PendingNodeTable, data.PendingBatchTable} {
		if !w.planned(name) {
			continue
		}
		if _, err := w.change(ctx, name, "DELETE FROM main."+name); err != nil {
			return err
		}
	}
	return nil
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
