package space

import (
	"context"
	"strings"

	"lcm-tui/data"
)

// MessageSize is a message and what it and its parts take.
type MessageSize struct {
	ID, Conversation, Seq int64
	Role                  string
	CreatedAt             data.Time
	// Opening is the beginning of its text.
	Opening string
	// Bytes are those of all texts in its row and in the rows of its parts.
	Bytes int64
}

// MessageFilter says which messages are meant; what is zero leaves all in.
type MessageFilter struct {
	Conversation int64
	Month        string // Such as 2026-03.
	Role         string
	PartType     string
}

// openingLength is how many characters of a message's text are read.
const openingLength = 120

// LargestMessages reads the messages that take the most, at most limit of them.
func LargestMessages(ctx context.Context, db *data.DB, f MessageFilter, limit int) ([]MessageSize, error) {
	s := db.Schema()
	if !s.Has("messages", "message_id", "conversation_id", "seq") {
		return nil, nil
	}
	size := RowBytes(s, "messages", "m")
	if s.Has("message_parts", "message_id") {
		size += " + (SELECT ifnull(sum(" + RowBytes(s, "message_parts", "p") + "), 0) FROM main.message_parts p WHERE p.message_id = m.message_id)"
	}
	where, args := f.where(s)
	query := "SELECT m.message_id, m.conversation_id, m.seq, " + column(s, "messages", "m", "role") + ", " + column(s, "messages", "m", "created_at") +
		", substr(" + opening(s) + ", 1, ?), " + size + " FROM main.messages m" + where + " ORDER BY 7 DESC, 1 LIMIT ?"
	var out []MessageSize
	args = append(append([]any{openingLength}, args...), limit)
	err := db.EachRow(ctx, "measure messages of", query, args, func(scan data.RowScanner) error {
		var m MessageSize
		err := scan((*data.Integer)(&m.ID), (*data.Integer)(&m.Conversation), (*data.Integer)(&m.Seq), (*data.Text)(&m.Role), &m.CreatedAt,
			(*data.Text)(&m.Opening), (*data.Integer)(&m.Bytes))
		out = append(out, m)
		return err
	})
	return out, err
}

// opening returns an SQL expression for the text of a message, or of its first part where it has none.
func opening(s *data.Schema) string {
	content := column(s, "messages", "m", "content")
	if !s.Has("message_parts", "message_id", "ordinal") {
		return content
	}
	first := "coalesce(nullif(" + column(s, "message_parts", "p", "text_content") + ", ''), " + column(s, "message_parts", "p", "tool_name") + ", " + column(s, "message_parts", "p", "part_type") + ")"
	return "coalesce(nullif(" + content + ", ''), (SELECT " + first + " FROM main.message_parts p WHERE p.message_id = m.message_id ORDER BY p.ordinal LIMIT 1))"
}

// where returns the condition of the filter, and its arguments.
func (f MessageFilter) where(s *data.Schema) (string, []any) {
	var conditions []string
	var args []any
	add := func(condition string, arg any) {
		conditions, args = append(conditions, condition), append(args, arg)
	}
	if f.Conversation != 0 {
		add("m.conversation_id = ?", f.Conversation)
	}
	if f.Month != "" {
		add("substr("+column(s, "messages", "m", "created_at")+", 1, 7) = ?", f.Month)
	}
	if f.Role != "" {
		add(column(s, "messages", "m", "role")+" = ?", f.Role)
	}
	if f.PartType != "" {
		add("m.message_id IN (SELECT p.message_id FROM main.message_parts p WHERE "+column(s, "message_parts", "p", "part_type")+" = ?)", f.PartType)
	}
	if len(conditions) == 0 {
		return "", nil
	}
	return " WHERE " + strings.Join(conditions, " AND "), args
}
