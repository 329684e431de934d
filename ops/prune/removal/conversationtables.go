package removal

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
)

// TableError names a table of another program that keeps conversations from being removed.
type TableError struct{ Table, Why string }

func (e *TableError) Error() string {
	return fmt.Sprintf("conversations can't be removed: the table %s %s", e.Table, e.Why)
}

// Hint says what to do.
func (e *TableError) Hint() string {
	return "remove its rows with the program that made them, or prune texts instead"
}

// deletion deletes rows of a table, in the order in which they stand: rows before those that
// they refer to. ?1 is the list of the conversations as JSON.
type deletion struct{ table, where string }

const (
	ofList      = "conversation_id IN (SELECT value FROM json_each(?1))"
	ofMessages  = "message_id IN (SELECT message_id FROM messages WHERE " + ofList + ")"
	ofSummaries = "(SELECT summary_id FROM summaries WHERE " + ofList + ")"
)

// ofNodes are the nodes of pending batches of conversations.
const ofNodes = "(SELECT node_id FROM " + data.PendingNodeTable + " WHERE " + ofList + " OR batch_id IN (SELECT batch_id FROM " + data.PendingBatchTable + " WHERE " + ofList + "))"

// pending are the deletions of what hosts of 1.0 prepare, which come first: their rows keep messages and
// summaries.
var pending = []deletion{
	{data.PendingNodeChildTable, "node_id IN " + ofNodes + " OR child_node_id IN " + ofNodes},
	{data.PendingNodeMessageTable, "node_id IN " + ofNodes},
	{data.PendingNodeTable, "node_id IN " + ofNodes},
	{data.PendingBatchTable, ofList},
}

// links are the deletions that leave conversations without a context and without summaries.
var links = []deletion{
	{"summary_messages", "summary_id IN " + ofSummaries},
	{"summary_parents", "summary_id IN " + ofSummaries},
	{"summary_parents", "parent_summary_id IN " + ofSummaries},
	{"context_items", ofList},
}

// texts are the deletions of messages and their parts, after those of the search tables.
var texts = []deletion{{"message_parts", ofMessages}, {data.AnchorTrustTable, ofMessages}, {"messages", ofList}}

// rest are the deletions of what is left of conversations, which come last.
var rest = []deletion{
	{"focus_brief_sources", "brief_id IN (SELECT brief_id FROM focus_briefs WHERE " + ofList + ")"},
	{"focus_briefs", ofList},
	{"large_files", ofList},
	{"conversation_bootstrap_state", ofList},
	{"conversation_compaction_telemetry", ofList},
	{"conversation_compaction_maintenance", ofList},
	{data.AnchorTrustTable, ofList},
	{data.EpochTable, ofList},
	{"conversations", ofList},
}

// knownTables are all tables that the deletions above are about.
var knownTables = func() (names []string) {
	for _, d := range slices.Concat(pending, links, texts, rest) {
		names = append(names, d.table)
	}
	return append(names, "summaries", data.TurnTable)
}()

// foreignKey is a reference of a table with one column.
type foreignKey struct{ table, column, parent, to, onDelete string }

const foreignKeysSQL = `SELECT m.name, f."from", f."table", coalesce(f."to", ''), f.on_delete,
	(SELECT count(*) FROM pragma_foreign_key_list(m.name) g WHERE g.id = f.id)
	FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f
	WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY m.name, f.id`

// rowReader is what a handle and a turn share.
type rowReader func(ctx context.Context, query string, args []any, fn func(data.RowScanner) error) error

// reader reads with a handle.
func reader(db *data.DB) rowReader {
	return func(ctx context.Context, query string, args []any, fn func(data.RowScanner) error) error {
		return db.EachRow(ctx, "read the schema", query, args, fn)
	}
}

// foreignKeys returns the references of all tables that aren't of the format, by which their rows
// belong to rows that are removed: those of a table come before those of the tables that
// it refers to. It fails with a *TableError where rows of such a table refer to each other.
func foreignKeys(ctx context.Context, read rowReader, s *data.Schema) (out []foreignKey, err error) {
	var all []foreignKey
	err = read(ctx, foreignKeysSQL, nil, func(scan data.RowScanner) error {
		var f foreignKey
		var columns int
		err := scan(&f.table, &f.column, &f.parent, &f.to, &f.onDelete, &columns)
		if f.to == "" && len(s.Key(f.parent)) == 1 {
			f.to = s.Key(f.parent)[0]
		}
		if columns > 1 || f.to == "" {
			f.to = ""
		}
		if !slices.Contains(knownTables, f.table) && !strings.HasPrefix(f.table, "lcm_tui_") {
			all = append(all, f)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	removed := slices.Clone(knownTables)
	for more := true; more; {
		more = false
		for _, f := range all {
			if slices.Contains(removed, f.parent) && !slices.Contains(removed, f.table) {
				removed = append(removed, f.table)
				more = true
			}
		}
	}
	for _, f := range all {
		switch {
		case !slices.Contains(removed, f.parent):
		case f.parent == f.table:
			return nil, &TableError{f.table, "refers to itself"}
		default:
			out = append(out, f)
		}
	}
	return out, nil
}

// CheckRemovable fails where conversations of this file can't be removed whatever they are.
func CheckRemovable(ctx context.Context, db *data.DB) error {
	keys, err := foreignKeys(ctx, reader(db), db.Schema())
	if err != nil {
		return err
	}
	if err := checkTables(db.Schema(), keys); err != nil {
		return err
	}
	_, err = unknownDeletions(keys)
	return err
}

// checkTables fails with a *TableError where rows of a table that isn't of the format may belong
// to conversations and nothing says which.
func checkTables(s *data.Schema, keys []foreignKey) error {
	for _, f := range keys {
		switch {
		case f.to == "":
			return &TableError{f.table, "refers to " + f.parent + " by several columns"}
		case f.onDelete == "SET NULL" || f.onDelete == "SET DEFAULT":
			return &TableError{f.table, "would lose its references to " + f.parent + " and keep its rows"}
		}
	}
	for _, name := range s.Tables() {
		if slices.Contains(knownTables, name) || strings.HasPrefix(name, "lcm_tui_") || !s.Has(name, "conversation_id") {
			continue
		}
		if !slices.ContainsFunc(keys, func(f foreignKey) bool { return f.table == name }) {
			return &TableError{name, "has a conversation_id and no foreign key"}
		}
	}
	return nil
}

// unknownDeletions returns the deletions of rows of tables that aren't of the format, the children of
// a table before its own. It fails with a *TableError where tables refer to each other.
func unknownDeletions(keys []foreignKey) (out []deletion, err error) {
	conditions := map[string]string{}
	for _, d := range slices.Concat(pending, links[:2], texts, rest) {
		conditions[d.table] = d.where
	}
	conditions["context_items"], conditions["summaries"] = ofList, ofList
	left := slices.Clone(keys)
	for len(left) > 0 {
		var later []foreignKey
		for _, table := range tablesOf(left) {
			own := slices.DeleteFunc(slices.Clone(left), func(f foreignKey) bool { return f.table != table })
			known := !slices.ContainsFunc(own, func(f foreignKey) bool { return conditions[f.parent] == "" })
			if !known {
				later = append(later, own...)
				continue
			}
			var some []string
			for _, f := range own {
				some = append(some, data.QuoteName(f.column)+" IN (SELECT "+data.QuoteName(f.to)+" FROM "+data.QuoteName(f.parent)+" WHERE "+conditions[f.parent]+")")
			}
			conditions[table] = "(" + strings.Join(some, " OR ") + ")"
			out = append(out, deletion{table, conditions[table]})
		}
		if len(later) == len(left) {
			return nil, &TableError{left[0].table, "and others refer to each other in a circle"}
		}
		left = later
	}
	slices.Reverse(out)
	return out, nil
}

func tablesOf(keys []foreignKey) (names []string) {
	for _, f := range keys {
		if !slices.Contains(names, f.table) {
			names = append(names, f.table)
		}
	}
	return names
}
