package lcm

import (
	"context"
	"math"

	"lcm-tui/data"
)

// Context returns the context of a conversation in order.
func Context(ctx context.Context, db data.Querier, conv int64) ([]ContextItem, error) {
	s := db.Schema()
	if !s.Has("context_items") {
		return nil, nil
	}
	columns := s.Columns("context_items")
	summary, message := "NULL, NULL, NULL, NULL, NULL, NULL", "NULL, NULL, NULL, NULL, NULL, NULL, NULL"
	from := "context_items ci"
	if s.Has("summaries") {
		summary = "s.summary_id, s.kind, " + s.Expr("summaries", "s", "depth", "0") + ", " + s.Expr("summaries", "s", "token_count", "0") + ", " +
			s.Clip("s.content", data.PreviewBytes) + ", " + s.Expr("summaries", "s", "latest_at", s.Expr("summaries", "s", "created_at", "NULL"))
		from += " LEFT JOIN summaries s ON s.summary_id = ci.summary_id"
	}
	if s.Has("messages") {
		message = "m.message_id, m.role, m.seq, " + s.Expr("messages", "m", "token_count", "0") + ", " + previewExpr(db) + ", " + s.Exprs("messages", "m", "created_at") + ", " + answerExpr(db)
		from += " LEFT JOIN messages m ON m.message_id = ci.message_id"
	}
	q := data.RowQuery{
		From: from, Number: "ci.rowid", Where: "ci.conversation_id = ?", Args: []any{conv}, Order: "ci.ordinal", KeyOrder: "ci.ordinal",
		Selected: s.Exprs("context_items", "ci", columns...) + ", " + summary + ", " + message,
	}
	return data.CollectRows(ctx, db, "read context", q, func(number any) (ContextItem, bool) { return bareItem(ctx, db, columns, number) }, contextScan(columns))
}

// contextScan reads a row of context_items with what it names.
func contextScan(columns []string) func(data.RowScanner, *ContextItem) error {
	return func(scan data.RowScanner, c *ContextItem) error {
		vals := make([]any, len(columns)+itemExtras)
		if err := scan(data.Pointers(vals)...); err != nil {
			return err
		}
		c.fill(columns, vals)
		return nil
	}
}

// itemExtras is how many columns Context reads of what an item names.
const itemExtras = 13

// bareItem returns an item whose message or summary can't be read.
func bareItem(ctx context.Context, db data.Querier, columns []string, number any) (c ContextItem, ok bool) {
	vals := make([]any, len(columns)+itemExtras)
	query := "SELECT " + db.Schema().Exprs("context_items", "ci", columns...) + " FROM context_items ci WHERE ci.rowid = ?"
	ok, err := data.One(ctx, db, "read context", query, []any{number}, data.Pointers(vals[:len(columns)])...)
	if !ok || err != nil {
		return c, false
	}
	c.fill(columns, vals)
	c.Missing, c.Unreadable, c.Preview = false, true, "(can't be read: the file is damaged there)"
	return c, true
}

// previewExpr returns a message's text or, where that is blank, what its first part
// that says anything says: a tool call's row has no text of its own.
func previewExpr(db data.Querier) string {
	s := db.Schema()
	text := s.Clip("m.content", data.PreviewBytes)
	if !s.Has("message_parts", "text_content", "tool_name", "tool_input", "tool_output", "ordinal") {
		return text
	}
	part := `(SELECT CASE WHEN p.tool_name <> '' THEN '[' || p.tool_name || '] ' ELSE '' END || coalesce(` +
		s.Clip("coalesce(nullif(p.text_content, ''), nullif(p.tool_output, ''), p.tool_input)", data.PreviewBytes) + `, '')
		FROM message_parts p WHERE p.message_id = m.message_id AND (p.text_content <> '' OR p.tool_name <> '' OR p.tool_output <> '')
		ORDER BY p.part_type = 'reasoning', p.ordinal LIMIT 1)`
	return "CASE WHEN trim(m.content) <> '' THEN " + text + " ELSE " + part + " END"
}

// answerBytes is how much is read of a block in metadata: the start of an answer, and what stands before it.
const answerBytes = 4 * data.PreviewBytes

// answerExpr returns the block in the metadata of a tool's message that has its answer there alone.
func answerExpr(db data.Querier) string {
	s := db.Schema()
	if !s.Has("message_parts", "text_content", "tool_input", "tool_output", "metadata", "ordinal") {
		return "NULL"
	}
	return `CASE WHEN m.role = 'tool' AND trim(m.content) = '' THEN (SELECT ` + s.Clip("p.metadata", answerBytes) + `
		FROM message_parts p WHERE p.message_id = m.message_id AND p.text_content IS NULL AND coalesce(p.tool_output, '') = '' AND coalesce(p.tool_input, '') = ''
		ORDER BY p.ordinal LIMIT 1) END`
}

// ContextSummaries returns the summaries in a context with the first ordinal of each.
func ContextSummaries(ctx context.Context, db data.Querier, conv int64) (map[string]int64, error) {
	out := map[string]int64{}
	if !db.Schema().Has("context_items") {
		return out, nil
	}
	const query = `SELECT summary_id, min(ordinal) FROM context_items
		WHERE conversation_id = ? AND summary_id IS NOT NULL GROUP BY summary_id`
	err := data.Each(ctx, db, "read context", query, []any{conv}, func(scan data.RowScanner) error {
		var id data.Text
		var o data.Integer
		err := scan(&id, &o)
		out[string(id)] = int64(o)
		return err
	})
	return out, err
}

// ContextTokens returns the stored tokens of a conversation's context. An item that is in it
// twice counts twice.
func ContextTokens(ctx context.Context, db data.Querier, conv int64) (n int64, err error) {
	const query = `SELECT total(coalesce(m.token_count, s.token_count)) FROM context_items ci
		LEFT JOIN messages m ON m.message_id = ci.message_id LEFT JOIN summaries s ON s.summary_id = ci.summary_id WHERE ci.conversation_id = ?`
	_, err = data.One(ctx, db, "read context", query, []any{conv}, (*data.Integer)(&n))
	return n, err
}

// AddTokens returns the sum of two numbers of tokens, or the one next to it that there is: a database may have any
// number.
func AddTokens(a, b int64) int64 {
	switch {
	case b > 0 && a > math.MaxInt64-b:
		return math.MaxInt64
	case b < 0 && a < math.MinInt64-b:
		return math.MinInt64
	}
	return a + b
}

// SumTokens returns the tokens of items as AddTokens adds them.
func SumTokens(items []ContextItem) (n int64) {
	for i := range items {
		n = AddTokens(n, items[i].Tokens)
	}
	return n
}

// StoredTokens returns the estimates that are stored with the messages in a conversation's
// context.
func StoredTokens(ctx context.Context, db data.Querier, conv int64) (map[int64]int64, error) {
	out := map[int64]int64{}
	if !db.Schema().Has("context_items") || !db.Schema().Has("messages", "token_count") {
		return out, nil
	}
	query := "SELECT m.message_id, m.token_count" + contextJoin + "messages m ON m.message_id = ci.message_id WHERE ci.conversation_id = ?"
	err := data.Each(ctx, db, "read messages", query, []any{conv}, func(scan data.RowScanner) error {
		var id, tokens int64
		err := scan((*data.Integer)(&id), (*data.Integer)(&tokens))
		out[id] = tokens
		return err
	})
	return out, err
}
