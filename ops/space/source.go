package space

import (
	"strings"

	"lcm-tui/data"
)

// source says how the rows of a table are read: to which conversation each belongs, when it was
// made, and of what kind it is. What the file lacks is NULL.
type source struct {
	table                    string // The table that is read.
	join                     string // What its conversation stands in, if not in itself.
	conversation, time, kind string // SQL expressions.
	// content and raw are expressions for the bytes of a copy of a text.
	content, raw string
}

// newSource makes the source of a table.
func newSource(s *data.Schema, table string) source {
	src := source{table: table, conversation: "NULL", time: "NULL", kind: "NULL", content: "0", raw: "0"}
	switch {
	case table == data.MessageIndex+contentSuffix && s.Has(table, "id", "c0"):
		src.content = TextBytes("t.c0")
		src.joinMessages(s, "t.id")
	case strings.HasPrefix(table, "summaries_fts") && s.Has(table, "c0") && strings.HasSuffix(table, contentSuffix):
		src.joinSummaries(s, "t.c0")
	case table == "message_parts" && s.Has(table, "message_id"):
		src.joinMessages(s, "t.message_id")
	case strings.HasPrefix(table, "summary_") && s.Has(table, "summary_id"):
		src.joinSummaries(s, "t.summary_id")
	case table == data.PendingNodeMessageTable || table == data.PendingNodeChildTable:
		src.joinOwner(s, data.PendingNodeTable, "node_id")
	case table == "focus_brief_sources":
		src.joinOwner(s, "focus_briefs", "brief_id")
	default:
		src.conversation, src.time = column(s, table, "t", "conversation_id"), column(s, table, "t", "created_at")
	}
	if column := kindColumns[table]; column != "" && s.Has(table, column) {
		src.kind = "t." + column
	}
	src.copies(s)
	return src
}

// kindColumns are the columns that say of what kind a row is.
var kindColumns = map[string]string{"messages": "role", "message_parts": "part_type", "summaries": "kind", "context_items": "item_type"}

// copies sets the expressions for the copies of texts.
func (o *source) copies(s *data.Schema) {
	switch {
	case o.table == "messages" && s.Has(o.table, "content"):
		o.content = TextBytes("t.content")
	case o.table == "message_parts":
		if s.Has(o.table, "text_content") {
			o.content = TextBytes("t.text_content")
		}
		if s.Has(o.table, "metadata") {
			o.raw = "CASE WHEN json_valid(t.metadata) THEN " + TextBytes("t.metadata -> '$.raw'") + " ELSE 0 END"
		}
	}
}

// joinMessages takes conversation and time from the message with an id.
func (o *source) joinMessages(s *data.Schema, id string) {
	if s.Has("messages", "message_id") {
		o.join = " LEFT JOIN main.messages m ON m.message_id = " + id
		o.conversation, o.time = column(s, "messages", "m", "conversation_id"), column(s, "messages", "m", "created_at")
	}
}

// joinSummaries takes conversation and time from the summary with an id.
func (o *source) joinSummaries(s *data.Schema, id string) {
	if s.Has("summaries", "summary_id") {
		o.join = " LEFT JOIN main.summaries m ON m.summary_id = " + id
		o.conversation, o.time = column(s, "summaries", "m", "conversation_id"), column(s, "summaries", "m", "created_at")
	}
}

// joinOwner takes conversation and time from the row of another table with the same id.
func (o *source) joinOwner(s *data.Schema, owner, id string) {
	if s.Has(o.table, id) && s.Has(owner, id) {
		o.join = " LEFT JOIN main." + owner + " m ON m." + id + " = t." + id
		o.conversation, o.time = column(s, owner, "m", "conversation_id"), column(s, owner, "m", "created_at")
	}
}

// column returns a column under an alias, NULL where the file lacks it.
func column(s *data.Schema, table, alias, name string) string {
	if !s.Has(table, name) {
		return "NULL"
	}
	return alias + "." + name
}

// query selects conversation, month, kind, bytes of all texts, and bytes of the two copies of
// each row, in the order in which the rows stand in the file.
func (o *source) query(s *data.Schema) string {
	order := ""
	if s.HasRowIDs(o.table) {
		order = " ORDER BY t.rowid"
	}
	return "SELECT ifnull(" + o.conversation + ", 0), ifnull(substr(" + o.time + ", 1, 7), ''), ifnull(" + o.kind + ", ''), " +
		RowBytes(s, o.table, "t") + ", " + o.content + ", " + o.raw +
		" FROM main." + data.QuoteName(o.table) + " t" + o.join + order
}

// RowBytes returns an SQL expression for the bytes of all texts in a row of a table under an alias.
// SQLite answers it from the beginning of the row, without reading its overflow pages. Who asks
// for a forecast counts the bytes that leave a table with it, so that both are of one measure.
func RowBytes(s *data.Schema, table, alias string) string {
	parts := []string{}
	for _, c := range s.TextColumns(table) {
		parts = append(parts, TextBytes(alias+"."+data.QuoteName(c)))
	}
	if len(parts) == 0 {
		return "0"
	}
	return strings.Join(parts, " + ")
}

// TextBytes returns an SQL expression for the bytes of a cell, 0 for NULL.
func TextBytes(cell string) string { return "ifnull(octet_length(" + cell + "), 0)" }
