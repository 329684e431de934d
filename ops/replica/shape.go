package replica

import (
	"context"
	"math"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/postgres"
)

// noGroup is the group of rows that belong to no conversation: of the whole file, or without a conversation that
// could be found.
const noGroup = math.MinInt64

// The tables whose rows are appended while a conversation goes on.
const (
	messageTable = "messages"
	partTable    = "message_parts"
	messageID    = "message_id"
	convID       = "conversation_id"
)

// Level is how much of a database is sent.
type Level string

// The levels.
const (
	LevelMetrics   Level = "metrics"   // Counts of each conversation alone.
	LevelSummaries Level = "summaries" // Conversations, summaries and what they are made of, without messages.
	LevelFull      Level = "full"
)

// Levels are all of them, the smallest first.
var Levels = []Level{LevelMetrics, LevelSummaries, LevelFull}

// summaryTables are the tables that are sent at the level of summaries.
var summaryTables = []string{"conversations", "summaries", "summary_messages", "summary_parents", "context_items", "focus_briefs", "focus_brief_sources"}

// sends reports whether the rows of a table are sent.
func (l Level) sends(table string) bool {
	return l == LevelFull || l == LevelSummaries && slices.Contains(summaryTables, table)
}

// shape is what a file has of what is sent.
type shape struct {
	tables []*tableShape
	others []*tableShape // Their rows are images.
}

// tableShape is one table of a file.
type tableShape struct {
	name      string
	described postgres.Table // Without a name where its rows are images.
	columns   []string       // Of the file: first those of the description, in its order, then the others.
	group     groupBy
	key       []int      // The places of the key's columns; nil where the file lacks one of them.
	known     int        // How many of these the description has.
	cellAt    []int      // The place of each column of the description among them, or -1.
	long      []bool     // Which of them have long texts.
	messageAt int        // The place of message_id among the columns, or -1.
	compared  []rowIndex // See indexes.
	tokensAt  int        // The place of token_count among the columns, or -1.
}

// groupBy says how the conversation of a row is found.
type groupBy struct {
	own              bool   // By its column conversation_id.
	table, key, with string // Or by the row of this table whose key is equal to this column.
}

// groupsThrough are the tables whose rows belong to the conversation of another row: the column, and the table with its key.
var groupsThrough = map[string]groupBy{
	partTable:                       {table: messageTable, key: messageID, with: messageID},
	"summary_messages":              {table: "summaries", key: "summary_id", with: "summary_id"},
	"summary_parents":               {table: "summaries", key: "summary_id", with: "summary_id"},
	"focus_brief_sources":           {table: "focus_briefs", key: "brief_id", with: "brief_id"},
	"pending_summary_node_messages": {table: data.PendingNodeTable, key: "node_id", with: "node_id"},
	"pending_summary_node_children": {table: data.PendingNodeTable, key: "node_id", with: "node_id"},
}

// shapeOf returns what of a file is sent. derived are its tables behind search tables. With a filter, rows of which nobody knows the
// conversation aren't sent.
func shapeOf(s *data.Schema, derived []string, e extent) *shape {
	out := &shape{}
	for _, t := range postgres.Tables {
		if s.Has(t.Name) && (e.level.sends(t.Name) || e.level == LevelMetrics) {
			out.tables = append(out.tables, describedShape(s, t))
		}
	}
	for _, name := range s.Tables() {
		if _, ok := postgres.TableOf(name); ok || slices.Contains(derived, name) || e.level != LevelFull || !e.filter.IsEmpty() {
			continue
		}
		if columns := copiedColumns(name, s.Columns(name)); len(columns) > 0 {
			other := &tableShape{name: name, columns: columns, messageAt: -1, tokensAt: -1}
			other.noteLong()
			out.others = append(out.others, other)
		}
	}
	return out
}

// describedShape returns the shape of a table that the replica has.
func describedShape(s *data.Schema, t postgres.Table) *tableShape {
	out := &tableShape{name: t.Name, described: t}
	for _, c := range t.Columns {
		if s.Has(t.Name, c.Name) {
			out.columns = append(out.columns, c.Name)
		}
	}
	out.known = len(out.columns)
	for _, c := range s.Columns(t.Name) {
		if _, ok := t.Column(c); !ok {
			out.columns = append(out.columns, c)
		}
	}
	for i := range t.Columns {
		out.cellAt = append(out.cellAt, slices.Index(out.columns, t.Columns[i].Name))
	}
	for _, k := range t.Key {
		if i := slices.Index(out.columns, k); i >= 0 {
			out.key = append(out.key, i)
		}
	}
	if len(out.key) != len(t.Key) {
		out.key = nil
	}
	out.noteLong()
	out.messageAt, out.tokensAt = slices.Index(out.columns, messageID), slices.Index(out.columns, "token_count")
	through, ok := groupsThrough[t.Name]
	switch {
	case ok && s.Has(t.Name, through.with) && s.Has(through.table, through.key, convID):
		out.group = through
	case s.Has(t.Name, convID):
		out.group = groupBy{own: true}
	}
	return out
}

// derivedTables returns the virtual tables, and those behind search tables: they follow the rows, and a restore makes them.
func derivedTables(ctx context.Context, on data.Connection) (names []string, err error) {
	err = data.EachRow(ctx, on, "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL%'", nil, func(scan data.RowScanner) error {
		var name, statement data.Text
		err := scan(&name, &statement)
		names = append(append(names, string(name)), tablesBehind(string(name), string(statement))...)
		return err
	})
	return names, err
}

// tablesBehind returns the tables in which a search table keeps its index. Those of other virtual tables aren't known: they are sent as
// every table.
func tablesBehind(name, statement string) []string {
	if !strings.Contains(strings.ToLower(statement), "fts5") {
		return nil
	}
	return data.ShadowTables(name)
}

// ownTables begin the names of this program's tables of records. They hold old texts, and an undo needs the file.
const ownTables = "lcm_tui_"

// recordTable is the table of records. They are sent for history, but what they changed stays in the file.
const recordTable = "lcm_tui_undo"

// unsentColumns are its columns with old texts. In their place stands change.ChangesNotSent.
var unsentColumns = []string{"changes", "search"}

// copiedColumns returns the columns of a table whose rows are sent as images.
func copiedColumns(table string, columns []string) []string {
	if strings.HasPrefix(table, ownTables) && table != recordTable {
		return nil
	}
	return columns
}

// longTexts are the columns of which the short comparison reads the lengths alone.
var longTexts = map[string][]string{
	messageTable: {"content", "large_content"},
	partTable:    {"text_content", "tool_input", "tool_output", "tool_error", "patch_files", "subtask_prompt", "file_url", "metadata"},
}

// has reports whether a column is sent.
func (t *tableShape) has(column string) bool { return t.indexOf(column) >= 0 }

// indexOf returns the place of a column among those that are sent, or -1.
func (t *tableShape) indexOf(column string) int { return slices.Index(t.columns, column) }

// noteLong notes which columns have long texts.
func (t *tableShape) noteLong() {
	for _, c := range t.columns {
		t.long = append(t.long, slices.Contains(longTexts[t.name], c))
	}
}

// keyColumn returns the description of the column at a place of the key.
func (t *tableShape) keyColumn(at int) *postgres.Column {
	return &t.described.Columns[slices.Index(t.cellAt, at)]
}

// groupSQL returns an expression for the conversation of a row of the table with the alias t, or NULL.
func (t *tableShape) groupSQL() string {
	own := func(alias string) string {
		return "CASE WHEN typeof(" + alias + "." + convID + ") = 'integer' THEN " + alias + "." + convID + " END"
	}
	switch {
	case t.group.own:
		return own("t")
	case t.group.table != "":
		return "(SELECT " + own("o") + " FROM " + data.QuoteName(t.group.table) + " o WHERE o." + t.group.key + " = t." + t.group.with + " LIMIT 1)"
	}
	return "NULL"
}

// whereSQL returns the condition for the rows of n groups, whose numbers are its arguments.
func (t *tableShape) whereSQL(n int) string {
	in := convID + " IN (" + data.Marks(n) + ")"
	switch {
	case t.group.own:
		return "t." + in + " AND typeof(t." + convID + ") = 'integer'"
	case t.group.table != "":
		return "t." + t.group.with + " IN (SELECT o." + t.group.key + " FROM " + data.QuoteName(t.group.table) + " o WHERE o." + in + " AND typeof(o." + convID + ") = 'integer')"
	}
	return "0"
}

// columnsSQL returns the columns as they are stored. The plus takes the declared type away, by which the driver would
// turn a cell into a time or a truth value. With short, long texts are their lengths.
func (t *tableShape) columnsSQL(short bool) string {
	out := make([]string, 0, len(t.columns))
	for i, c := range t.columns {
		name := "t." + data.QuoteName(c)
		if t.name == recordTable && slices.Contains(unsentColumns, c) {
			out = append(out, "'"+change.ChangesNotSent+"'")
			continue
		}
		if short && t.long[i] {
			out = append(out, "CASE typeof("+name+") WHEN 'text' THEN octet_length("+name+") WHEN 'blob' THEN -1 - octet_length("+name+") ELSE "+name+" END")
			continue
		}
		out = append(out, "+"+name)
	}
	return strings.Join(out, ", ")
}

// shortCell returns what columnsSQL with short reads of a cell of a long text.
func shortCell(cell any) any {
	switch v := cell.(type) {
	case string:
		return int64(len(v))
	case []byte:
		return -1 - int64(len(v))
	}
	return cell
}
