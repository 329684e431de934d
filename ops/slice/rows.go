package slice

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
)

// step copies the rows of one table that fulfil a condition, under the alias s.
type step struct {
	table table
	where string
}

const (
	inConversations = "s.conversation_id IN (SELECT id FROM temp.chosen)"
	inMessages      = "s.message_id IN (SELECT message_id FROM main.messages)"
	inSummaries     = "s.summary_id IN (SELECT summary_id FROM main.summaries)"
	inNodes         = "s.node_id IN (SELECT node_id FROM main." + data.PendingNodeTable + ")"
)

// knownRows are the conditions for rows of the tables of the format, in the order in which they
// are copied: what a condition asks for comes before it.
var knownRows = []struct{ table, where string }{
	{"conversations", inConversations},
	{"messages", inConversations},
	{"message_parts", inMessages},
	{"summaries", inConversations},
	{"summary_messages", inSummaries},
	{"summary_parents", inSummaries},
	{"context_items", inConversations},
	{"large_files", inConversations},
	{"conversation_bootstrap_state", inConversations},
	{"conversation_compaction_telemetry", inConversations},
	{"conversation_compaction_maintenance", inConversations},
	{"focus_briefs", inConversations},
	{"focus_brief_sources", "s.brief_id IN (SELECT brief_id FROM main.focus_briefs)"},
	{data.PendingBatchTable, inConversations},
	{data.PendingNodeTable, inConversations},
	{data.PendingNodeMessageTable, inNodes},
	{data.PendingNodeChildTable, inNodes},
	{data.AnchorTrustTable, inConversations},
	{data.EpochTable, inConversations},
	{data.TurnTable, "s.session_id IN (SELECT session_id FROM main.conversations)"},
	{"lcm_migration_state", ""},
}

// messageRows are the conditions where only messages are copied.
var messageRows = []struct{ table, where string }{
	{"conversations", inConversations},
	{"messages", "s.message_id IN (SELECT id FROM temp.chosen_message)"},
	{"message_parts", inMessages},
	{data.AnchorTrustTable, inMessages},
	{"lcm_migration_state", ""},
}

// planSteps decides which rows of which tables are copied.
func (w *writer) planSteps(ctx context.Context) error {
	known := knownRows
	if len(w.request.Messages) > 0 {
		known = messageRows
	}
	for _, k := range known {
		if t := w.table(k.table); t != nil {
			w.steps = append(w.steps, step{*t, k.where})
		}
	}
	if len(w.request.Messages) > 0 {
		return nil
	}
	for w.planUnknown() {
	}
	return w.nameLeftOut(ctx)
}

// planned reports whether rows of a table are copied.
func (w *writer) planned(name string) bool {
	return slices.ContainsFunc(w.steps, func(s step) bool { return strings.EqualFold(s.table.name, name) })
}

// planUnknown adds one table that isn't of the format and is related to tables that are copied by
// foreign keys. It reports whether there was one.
func (w *writer) planUnknown() bool {
	for _, waiting := range []bool{true, false} { // First those whose parents are all decided.
		for _, t := range w.tables {
			if isOwn(t.name) || w.planned(t.name) || waiting && w.waits(t) {
				continue
			}
			if where := w.childRows(t); where != "" {
				w.steps = append(w.steps, step{t, where})
				return true
			}
		}
	}
	for _, t := range w.tables {
		if isOwn(t.name) || w.planned(t.name) {
			continue
		}
		if where := w.parentRows(t); where != "" {
			w.steps = append(w.steps, step{t, where})
			return true
		}
	}
	return false
}

// waits reports whether a table refers to another one that may still be copied for its own
// references.
func (w *writer) waits(t table) bool {
	return slices.ContainsFunc(t.references, func(r reference) bool {
		parent := w.table(r.parent)
		return parent != nil && parent.name != t.name && !w.planned(parent.name) && w.childRows(*parent) != ""
	})
}

// childRows returns the condition for rows that refer to copied rows and to no row that isn't
// copied, or is empty where the table doesn't refer to a copied table.
func (w *writer) childRows(t table) string {
	var some, all []string
	for _, r := range t.references {
		if !w.planned(r.parent) {
			continue
		}
		in := w.inParent(r)
		if in == "" {
			continue
		}
		var nulls []string
		for _, c := range r.columns {
			nulls = append(nulls, "s."+data.QuoteName(c)+" IS NULL")
		}
		some = append(some, in)
		all = append(all, "("+strings.Join(nulls, " OR ")+" OR "+in+")")
	}
	if len(some) == 0 {
		return ""
	}
	if len(some) == 1 {
		return some[0]
	}
	return "(" + strings.Join(some, " OR ") + ") AND " + strings.Join(all, " AND ")
}

// inParent returns the condition that a reference leads to a copied row.
func (w *writer) inParent(r reference) string {
	parent := w.table(r.parent)
	to := r.to
	if len(to) == 0 {
		to = w.db.Schema().Key(parent.name)
	}
	if len(to) != len(r.columns) {
		return ""
	}
	return "(" + list("s.", r.columns) + ") IN (SELECT " + list("", to) + " FROM main." + data.QuoteName(parent.name) + ")"
}

// parentRows returns the condition for rows of a table to which copied rows refer, or is empty.
func (w *writer) parentRows(t table) string {
	var some []string
	for _, s := range w.steps {
		for _, r := range s.table.references {
			to := r.to
			if len(to) == 0 {
				to = w.db.Schema().Key(t.name)
			}
			if strings.EqualFold(r.parent, t.name) && len(to) == len(r.columns) {
				some = append(some, "("+list("s.", to)+") IN (SELECT "+list("", r.columns)+" FROM main."+data.QuoteName(s.table.name)+")")
			}
		}
	}
	return strings.Join(some, " OR ")
}

// nameLeftOut names the tables with rows that aren't copied.
func (w *writer) nameLeftOut(ctx context.Context) error {
	for _, t := range w.tables {
		if isOwn(t.name) || w.planned(t.name) {
			continue
		}
		n, err := w.number(ctx, "SELECT count(*) FROM source."+data.QuoteName(t.name))
		if err != nil {
			return err
		}
		if n > 0 {
			w.result.LeftOut = append(w.result.LeftOut, LeftOut{Table: t.name, Rows: n, Reason: "no foreign key says which conversation a row belongs to"})
		}
	}
	return nil
}

// copyRows copies the rows of all tables, and takes their digests.
func (w *writer) copyRows(ctx context.Context) error {
	if err := w.planSteps(ctx); err != nil {
		return err
	}
	for i, s := range w.steps {
		w.report(i, len(w.steps), "copying "+s.table.name)
		name, where := data.QuoteName(s.table.name), ""
		if s.where != "" {
			where = " WHERE " + s.where
		}
		n, err := w.exec(ctx, "INSERT INTO main."+name+" ("+list("", s.table.copied())+") SELECT "+list("s.", s.table.copied())+" FROM source."+name+" s"+where)
		if err != nil {
			return fmt.Errorf("copy the rows of %s: %w", s.table.name, err)
		}
		if w.result.Digests[s.table.name], err = w.sourceDigest(ctx, s.table); err != nil {
			return err
		}
		w.result.Tables[s.table.name] = n
	}
	return nil
}
