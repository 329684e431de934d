package lcm

import (
	"context"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
)

// SeqPage asks for messages from a seq on.
type SeqPage struct {
	From  int64  // The first seq to look at; it may be one that no message has.
	Back  bool   // Towards lower seqs.
	Role  string // Only messages of this role; empty for all.
	Limit int
	Clip  int // How many bytes of each text; Whole for all.
}

// MessagesFrom returns the messages of a conversation from a seq on, at most Limit of
// them, in the order of seq whichever the direction.
func MessagesFrom(ctx context.Context, db data.Querier, conv int64, w SeqPage) ([]Message, error) {
	q := data.RowQuery{Where: "conversation_id = ? AND seq >= ?", Args: []any{conv, w.From}, Order: "seq ASC", Limit: w.Limit}
	if w.Back {
		q.Where, q.Order = "conversation_id = ? AND seq <= ?", "seq DESC"
	}
	if w.Role != "" {
		q.Also, q.AlsoArgs = "role = ?", []any{w.Role}
	}
	ms, err := messages(ctx, db, q, w.Clip)
	if err != nil {
		return nil, err
	}
	if w.Back {
		slices.Reverse(ms)
	}
	return ms, addRelations(ctx, db, ms, w.Clip)
}

// FindMessage returns the seq of the nearest message after from, or before it if
// backwards, of which the content, the file or a part holds the text: what a tool was
// told and answered, its name and the call's id as well. The case of ASCII letters
// doesn't matter, that of others does. Nothing is indexed for this: it reads the
// conversation until it finds the text.
func FindMessage(ctx context.Context, db data.Querier, conv int64, needle string, from int64, backwards bool) (seq int64, ok bool, err error) {
	if needle == "" || !db.Schema().Has("messages") {
		return 0, false, nil
	}
	compare, order := ">", "ASC"
	if backwards {
		compare, order = "<", "DESC"
	}
	where, args := containsSQL(db, needle)
	query := "SELECT m.seq FROM messages m WHERE m.conversation_id = ? AND m.seq " + compare + " ? AND (" + where + ") ORDER BY m.seq " + order + " LIMIT 1"
	ok, err = data.One(ctx, db, "search messages", query, append([]any{conv, from}, args...), (*data.Integer)(&seq))
	return seq, ok, err
}

// CountMatches counts the messages of a conversation that FindMessage finds, and those of
// them up to a seq. It reads the whole conversation.
func CountMatches(ctx context.Context, db data.Querier, conv int64, needle string, seq int64) (upTo, total int64, err error) {
	if needle == "" || !db.Schema().Has("messages") {
		return 0, 0, nil
	}
	where, args := containsSQL(db, needle)
	query := "SELECT count(*) FILTER (WHERE m.seq <= ?), count(*) FROM messages m WHERE m.conversation_id = ? AND (" + where + ")"
	_, err = data.One(ctx, db, "count matches", query, append([]any{seq, conv}, args...), (*data.Integer)(&upTo), (*data.Integer)(&total))
	return upTo, total, err
}

// containsSQL returns the SQL condition that a message m holds a text, and its arguments.
func containsSQL(db data.Querier, needle string) (where string, args []any) {
	contains := func(expr string) string {
		args = append(args, needle)
		return "instr(lower(CAST(" + expr + " AS TEXT)), lower(?)) > 0"
	}
	s := db.Schema()
	where = contains(s.Expr("messages", "m", "content", "''"))
	if s.Has("messages", "large_content") {
		where += " OR " + contains("m.large_content")
	}
	var in []string
	for _, c := range []string{"text_content", "tool_input", "tool_output", "tool_name", "tool_call_id", "file_name"} {
		if s.Has("message_parts", c) {
			in = append(in, contains("p."+c))
		}
	}
	if s.Has("message_parts", "metadata") {
		for _, field := range []string{"toolCallId", "toolName", "modelId"} {
			in = append(in, contains("CASE WHEN json_valid(p.metadata) THEN json_extract(p.metadata, '$."+field+"') END"))
		}
	}
	if len(in) > 0 {
		where += " OR EXISTS (SELECT 1 FROM message_parts p WHERE p.message_id = m.message_id AND (" + strings.Join(in, " OR ") + "))"
	}
	return where, args
}

// SeqAt returns the seq of the conversation's first message at or after a time, by
// seq. It understands both forms of created_at, so it can't use an index.
func SeqAt(ctx context.Context, db data.Querier, conv int64, at time.Time) (seq int64, ok bool, err error) {
	s := db.Schema()
	if !s.Has("messages") {
		return 0, false, nil
	}
	query := "SELECT m.seq, " + s.Exprs("messages", "m", "created_at") + " FROM messages m WHERE m.conversation_id = ? ORDER BY m.seq"
	err = data.Each(ctx, db, "read messages", query, []any{conv}, func(scan data.RowScanner) error {
		var created data.Time
		if err := scan((*data.Integer)(&seq), &created); err != nil {
			return err
		}
		if ok = created.Valid() && !created.Before(at); ok {
			return data.ErrEndRows
		}
		return nil
	})
	if !ok {
		return 0, false, err
	}
	return seq, true, err
}
