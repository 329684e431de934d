package data

import (
	"context"
	"slices"
)

// ContextItem is one place of a conversation's context: a row of context_items
// and what the message or summary that it names has.
type ContextItem struct {
	Conversation int64  `json:"-"`
	Ordinal      int64  `json:"ordinal"`
	Type         string `json:"item_type"` // "message" or "summary".
	Summary      string `json:"summary_id,omitempty"`
	Message      int64  `json:"message_id,omitempty"`
	Kind         string `json:"kind,omitempty"`    // Of the summary.
	Depth        int64  `json:"depth"`             // Of the summary; 0 for a message.
	Role         string `json:"role,omitempty"`    // Of the message.
	Seq          int64  `json:"seq,omitempty"`     // Of the message.
	Tokens       int64  `json:"token_count"`       // Stored; 0 where the row is missing.
	Preview      string `json:"preview"`           // The start of the text, or of what a tool was told.
	Missing      bool   `json:"missing,omitempty"` // The row named doesn't exist.
	// Unreadable says that damage to the file hides the row named.
	Unreadable bool `json:"unreadable,omitempty"`
	At         Time `json:"-"` // Of the message, or the latest time of the summary.

	stored bool // It was read from the file, where it has this ordinal.
	wanted bool // It is new, and its ordinal is the highest that it may get.

	// The row of context_items: a map for each would take much more memory.
	columns []string
	cells   []any
}

// Row is the item as it stands, or would stand, in context_items.
func (c ContextItem) Row() Row {
	r := make(Row, len(c.columns))
	for i, name := range c.columns {
		r[name] = c.cells[i]
	}
	return r
}

// IsSummary reports whether the item is a summary.
func (c ContextItem) IsSummary() bool { return c.Summary != "" }

// previewBytes is how much of a text a list may show.
const previewBytes = 240

// Context is the context of a conversation in order.
func (db *DB) Context(ctx context.Context, conv int64) ([]ContextItem, error) {
	s := db.schema
	if !s.Has("context_items") {
		return nil, nil
	}
	columns := s.Columns("context_items")
	summary, message := "NULL, NULL, NULL, NULL, NULL, NULL", "NULL, NULL, NULL, NULL, NULL, NULL"
	from := "context_items ci"
	if s.Has("summaries") {
		summary = "s.summary_id, s.kind, " + s.expr("summaries", "s", "depth", "0") + ", " + s.expr("summaries", "s", "token_count", "0") + ", " +
			clip("s.content", previewBytes) + ", " + s.expr("summaries", "s", "latest_at", s.expr("summaries", "s", "created_at", "NULL"))
		from += " LEFT JOIN summaries s ON s.summary_id = ci.summary_id"
	}
	if s.Has("messages") {
		message = "m.message_id, m.role, m.seq, " + s.expr("messages", "m", "token_count", "0") + ", " + db.previewExpr() + ", " + s.exprs("messages", "m", "created_at")
		from += " LEFT JOIN messages m ON m.message_id = ci.message_id"
	}
	q := rowQuery{
		from: from, number: "ci.rowid", where: "ci.conversation_id = ?", args: []any{conv}, order: "ci.ordinal", keyOrder: "ci.ordinal",
		selected: s.exprs("context_items", "ci", columns...) + ", " + summary + ", " + message,
	}
	return collectRows(ctx, db, "read context", q, func(number any) (ContextItem, bool) { return db.bareItem(ctx, columns, number) }, contextScan(columns))
}

// contextScan reads a row of context_items with what it names.
func contextScan(columns []string) func(RowScanner, *ContextItem) error {
	return func(scan RowScanner, c *ContextItem) error {
		vals := make([]any, len(columns)+itemExtras)
		if err := scan(pointers(vals)...); err != nil {
			return err
		}
		c.fill(columns, vals)
		return nil
	}
}

// itemExtras is how many columns Context reads of what an item names.
const itemExtras = 12

// bareItem is an item of which the message or summary can't be read.
func (db *DB) bareItem(ctx context.Context, columns []string, number any) (c ContextItem, ok bool) {
	vals := make([]any, len(columns)+itemExtras)
	query := "SELECT " + db.schema.exprs("context_items", "ci", columns...) + " FROM context_items ci WHERE ci.rowid = ?"
	ok, err := db.one(ctx, "read context", query, []any{number}, pointers(vals[:len(columns)])...)
	if !ok || err != nil {
		return c, false
	}
	c.fill(columns, vals)
	c.Missing, c.Unreadable, c.Preview = false, true, "(can't be read: the file is damaged there)"
	return c, true
}

// previewExpr is a message's text or, where that is blank, what its first part
// that says anything says: a tool call's row has no text of its own.
func (db *DB) previewExpr() string {
	s := db.schema
	text := clip("m.content", previewBytes)
	if !s.Has("message_parts", "text_content", "tool_name", "tool_input", "tool_output", "ordinal") {
		return text
	}
	part := `(SELECT CASE WHEN p.tool_name <> '' THEN '[' || p.tool_name || '] ' ELSE '' END || coalesce(` +
		clip("coalesce(nullif(p.text_content, ''), nullif(p.tool_output, ''), p.tool_input)", previewBytes) + `, '')
		FROM message_parts p WHERE p.message_id = m.message_id AND (p.text_content <> '' OR p.tool_name <> '' OR p.tool_output <> '')
		ORDER BY p.part_type = 'reasoning', p.ordinal LIMIT 1)`
	return "CASE WHEN trim(m.content) <> '' THEN " + text + " ELSE " + part + " END"
}

func (c *ContextItem) fill(columns []string, vals []any) {
	c.columns, c.cells, c.stored = columns, slices.Clone(vals[:len(columns)]), true
	for i, name := range columns {
		switch v := vals[i]; name {
		case "conversation_id":
			c.Conversation = asInteger(v)
		case "ordinal":
			c.Ordinal = asInteger(v)
		case "item_type":
			_ = (*word)(&c.Type).Scan(v)
		case "summary_id":
			c.Summary = asText(v)
		case "message_id":
			c.Message = asInteger(v)
		}
	}
	sum, msg := vals[len(columns):len(columns)+6], vals[len(columns)+6:]
	at := msg[5]
	if c.IsSummary() {
		c.Missing = sum[0] == nil
		_ = (*word)(&c.Kind).Scan(sum[1])
		c.Depth, c.Tokens, c.Preview = asInteger(sum[2]), asInteger(sum[3]), asText(sum[4])
		at = sum[5]
	} else {
		c.Missing = msg[0] == nil
		_ = (*word)(&c.Role).Scan(msg[1])
		c.Seq, c.Tokens, c.Preview = asInteger(msg[2]), asInteger(msg[3]), asText(msg[4])
	}
	c.Preview = wholeRunes(c.Preview, true)
	_ = c.At.Scan(at)
}

// pointers are the addresses of vals, to scan into.
func pointers(vals []any) []any {
	out := make([]any, len(vals))
	for i := range vals {
		out[i] = &vals[i]
	}
	return out
}

// ContextSummaries are the summaries in a context with the first ordinal of each.
func (db *DB) ContextSummaries(ctx context.Context, conv int64) (map[string]int64, error) {
	out := map[string]int64{}
	if !db.schema.Has("context_items") {
		return out, nil
	}
	const query = `SELECT summary_id, min(ordinal) FROM context_items
		WHERE conversation_id = ? AND summary_id IS NOT NULL GROUP BY summary_id`
	err := db.each(ctx, "read context", query, []any{conv}, func(scan RowScanner) error {
		var id text
		var o integer
		err := scan(&id, &o)
		out[string(id)] = int64(o)
		return err
	})
	return out, err
}

// ContextSeqs are the seqs of the messages in a context.
func (db *DB) ContextSeqs(ctx context.Context, conv int64) ([]int64, error) {
	if !db.schema.Has("context_items") || !db.schema.Has("messages") {
		return nil, nil
	}
	const query = `SELECT m.seq FROM context_items ci CROSS JOIN messages m ON m.message_id = ci.message_id WHERE ci.conversation_id = ?`
	return collect(ctx, db, "read context", query, []any{conv}, func(scan RowScanner, seq *int64) error {
		return scan((*integer)(seq))
	})
}

// UncoveredSeqs are the seqs of the conversation's messages that are neither in its
// context nor under any summary. Pruning and /new leave such messages rightly;
// the notes that hosts up to 0.6 kept of their compactions are left out.
func (db *DB) UncoveredSeqs(ctx context.Context, conv int64) ([]int64, error) {
	s := db.schema
	if !s.Has("context_items") || !s.Has("messages") || !s.Has("summary_messages") || !s.Has("summaries") {
		return nil, nil
	}
	const query = `SELECT m.seq FROM messages m WHERE m.conversation_id = ?1
		AND m.message_id NOT IN (SELECT message_id FROM context_items WHERE conversation_id = ?1 AND message_id IS NOT NULL)
		AND m.message_id NOT IN (SELECT l.message_id FROM summaries s CROSS JOIN summary_messages l ON l.summary_id = s.summary_id
			WHERE s.conversation_id = ?1)
		AND NOT (m.role = 'system' AND m.content LIKE 'LCM compaction % pass (%') ORDER BY m.seq`
	return collect(ctx, db, "read coverage", query, []any{conv}, func(scan RowScanner, seq *int64) error {
		return scan((*integer)(seq))
	})
}

// Ref is the id of what the item names: a summary's, or a message's number.
func (c ContextItem) Ref() string {
	if c.IsSummary() {
		return c.Summary
	}
	return asText(c.Message)
}

// MovedTo is the item moved to another place.
func (c ContextItem) MovedTo(ordinal int64) ContextItem {
	c.Ordinal, c.cells = ordinal, slices.Clone(c.cells)
	if i := slices.Index(c.columns, "ordinal"); i >= 0 { // The file may lack it.
		c.cells[i] = ordinal
	}
	return c
}

// AsReplacement is a new item that stands for items the last of which has this ordinal.
func (c ContextItem) AsReplacement(last int64) ContextItem {
	c = c.MovedTo(last)
	c.stored, c.wanted = false, true
	return c
}

// NewSummaryItem is a new place in a context for a summary, made now.
func (db *DB) NewSummaryItem(s Summary, conv, ordinal int64) ContextItem {
	return ContextItem{
		Conversation: conv, Ordinal: ordinal, Type: "summary", Summary: s.ID, Kind: s.Kind, Depth: s.Depth,
		Tokens: s.Tokens, Preview: Preview(s.Content), At: s.LatestAt,
		columns: itemColumns, cells: []any{conv, ordinal, "summary", nil, s.ID, db.FormatNow()},
	}
}

// NewMessageItem is a new place in a context for a message, made now.
func (db *DB) NewMessageItem(m Message, conv, ordinal int64) ContextItem {
	return ContextItem{
		Conversation: conv, Ordinal: ordinal, Type: "message", Message: m.ID, Role: m.Role, Seq: m.Seq,
		Tokens: m.Tokens, Preview: Preview(m.Content), At: m.CreatedAt,
		columns: itemColumns, cells: []any{conv, ordinal, "message", m.ID, nil, db.FormatNow()},
	}
}

// itemColumns are the columns of context_items that every file has.
var itemColumns = []string{"conversation_id", "ordinal", "item_type", "message_id", "summary_id", "created_at"}

// FormatNow is the present time as hosts write created_at.
func (db *DB) FormatNow() string { return FormatTime(db.Now()) }
