package trash

import (
	"context"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
)

const (
	ofConversation = "s.conversation_id = ?1"
	ofSummaries    = "s.summary_id IN (SELECT summary_id FROM trash.summaries WHERE conversation_id = ?1)"
)

// restRows are the conditions for the rows of a conversation beside its messages, in the order
// in which they are put back. Links whose other ends are gone are left out.
var restRows = []struct{ table, where, withTarget string }{
	{"summary_messages", ofSummaries, "+s.message_id IN (SELECT message_id FROM main.messages)"},
	{"summary_parents", ofSummaries, "+s.parent_summary_id IN (SELECT summary_id FROM main.summaries)"},
	{"context_items", ofConversation, "(s.message_id IS NULL OR +s.message_id IN (SELECT message_id FROM main.messages)) AND (s.summary_id IS NULL OR +s.summary_id IN (SELECT summary_id FROM main.summaries))"},
	{"large_files", ofConversation, "1"},
	{"focus_briefs", ofConversation, "1"},
	{"focus_brief_sources", "s.brief_id IN (SELECT brief_id FROM trash.focus_briefs WHERE conversation_id = ?1)", "1"},
	{"conversation_bootstrap_state", ofConversation, "1"},
	{"conversation_compaction_telemetry", ofConversation, "1"},
	{"conversation_compaction_maintenance", ofConversation, "1"},
	{data.AnchorTrustTable, ofConversation, "+s.message_id IN (SELECT message_id FROM main.messages)"},
	{data.TurnTable, "s.session_id IN (SELECT session_id FROM trash.conversations WHERE conversation_id = ?1)", "1"},
}

// notRestored are tables of which a removed conversation has rows that don't come back: a host must not find
// active what it gave up since, and prepares it again. An epoch comes back with an archived
// conversation alone; for one that goes on the host writes another.
var notRestored = []string{data.PendingBatchTable, data.PendingNodeTable, data.PendingNodeMessageTable, data.PendingNodeChildTable, data.EpochTable}

// restoreRest puts back what a conversation has beside its messages.
func (w *restorer) restoreRest(ctx context.Context, t *change.Turn, id int64) error {
	if err := w.restoreSummaries(ctx, t, id); err != nil {
		return err
	}
	for _, r := range restRows {
		if !w.from.Has(r.table) {
			continue
		}
		n, err := w.insert(ctx, t, r.table, r.where+" AND "+r.withTarget, id)
		if err != nil {
			return err
		}
		w.present.restored += n
		if r.withTarget == "1" {
			continue
		}
		lost, err := count(ctx, t, "SELECT count(*) FROM trash."+r.table+" s WHERE "+r.where+" AND NOT ("+r.withTarget+")", id)
		if err != nil {
			return err
		}
		w.result.Lost += lost
	}
	return w.restoreUnknown(ctx, t)
}

// restoreSummaries puts the summaries of a conversation back, and their rows in search tables.
func (w *restorer) restoreSummaries(ctx context.Context, t *change.Turn, id int64) error {
	if !w.from.Has("summaries") {
		return nil
	}
	var missing []string
	const query = "SELECT s.summary_id FROM trash.summaries s WHERE s.conversation_id = ?1 AND s.summary_id NOT IN (SELECT summary_id FROM main.summaries) ORDER BY s.rowid"
	err := t.EachRow(ctx, query, []any{id}, func(scan data.RowScanner) error {
		var s string
		err := scan(&s)
		missing = append(missing, s)
		return err
	})
	if err != nil {
		return err
	}
	n, err := w.insert(ctx, t, "summaries", ofConversation, id)
	if err != nil {
		return err
	}
	w.present.restored += n
	for _, name := range []string{data.SummaryIndex, data.SummaryTrigrams} {
		if !t.Schema().Searchable(name) {
			continue
		}
		for _, s := range missing {
			if _, err := t.Exec(ctx, "INSERT INTO main."+name+" (summary_id, content) SELECT summary_id, content FROM trash.summaries WHERE summary_id = ?", s); err != nil {
				return err
			}
		}
	}
	return nil
}

// knownTables are the tables whose rows are put back by conditions of their own.
var knownTables = func() []string {
	names := []string{"conversations", "messages", "message_parts", "summaries", "lcm_migration_state"}
	for _, r := range restRows {
		names = append(names, r.table)
	}
	return append(names, notRestored...)
}()

const foreignKeysSQL = `SELECT f."from", f."table", coalesce(f."to", '') FROM pragma_foreign_key_list(?1, 'trash') f
	WHERE (SELECT count(*) FROM pragma_foreign_key_list(?1, 'trash') g WHERE g.id = f.id) = 1`

// restoreUnknown puts back the rows of tables that aren't of the format, as far as what they refer
// to is there.
func (w *restorer) restoreUnknown(ctx context.Context, t *change.Turn) error {
	for more := true; more; {
		more = false
		for _, table := range w.from.Tables() {
			if slices.Contains(knownTables, table) || strings.HasPrefix(table, "lcm_tui_") || strings.HasPrefix(table, "sqlite_") || w.restore.File.Rows[table] == 0 {
				continue
			}
			where := []string{"1"}
			err := t.EachRow(ctx, foreignKeysSQL, []any{table}, func(scan data.RowScanner) error {
				var from, parent, to string
				err := scan(&from, &parent, &to)
				if key := w.from.Key(parent); to == "" && len(key) == 1 {
					to = key[0]
				}
				if to != "" && parent != table {
					where = append(where, "(s."+data.QuoteName(from)+" IS NULL OR s."+data.QuoteName(from)+" IN (SELECT "+data.QuoteName(to)+" FROM main."+data.QuoteName(parent)+"))")
				}
				return err
			})
			if err != nil {
				return err
			}
			n, err := w.insert(ctx, t, table, strings.Join(where, " AND "))
			if err != nil {
				return err
			}
			more = more || n > 0
			w.present.restored += n
		}
	}
	return nil
}
