package data

import (
	"context"
)

// Part is a row of message_parts: one block of a message. Hosts fill no other
// columns than these.
type Part struct {
	ID         string `json:"part_id"`
	Message    int64  `json:"-"`
	Type       string `json:"part_type"` // text, reasoning, tool, file, …
	Ordinal    int64  `json:"ordinal"`
	Text       string `json:"text_content,omitempty"`
	NoText     bool   `json:"-"` // Whether text_content is NULL, which isn't an empty text to a host.
	ToolCallID string `json:"tool_call_id,omitempty"`
	ToolName   string `json:"tool_name,omitempty"`
	ToolInput  string `json:"tool_input,omitempty"`
	ToolOutput string `json:"tool_output,omitempty"`
	FileName   string `json:"file_name,omitempty"`
	Metadata   string `json:"metadata,omitempty"` // JSON, unless it is damaged.
}

func (db *DB) parts(ctx context.Context, where string, args []any, clipBytes int) ([]Part, error) {
	s := db.Schema()
	col := func(name string) string { return clip(s.expr("message_parts", "p", name, "NULL"), clipBytes) }
	q := RowQuery{From: "message_parts p", Number: "p.rowid", Where: "p." + where, Args: args, Order: "p.message_id, p.ordinal"}
	q.KeyOrder = q.Order
	q.Selected = "p.part_id, p.message_id, " + s.exprs("message_parts", "p", "part_type", "ordinal") + ", " +
		col("text_content") + ", " + s.exprs("message_parts", "p", "tool_call_id", "tool_name") + ", " +
		col("tool_input") + ", " + col("tool_output") + ", " + s.exprs("message_parts", "p", "file_name") + ", " + col("metadata")
	return CollectRows(ctx, db, "read message parts", q, nil, func(scan RowScanner, p *Part) error {
		var content Stored
		err := scan((*Text)(&p.ID), (*Integer)(&p.Message), (*Word)(&p.Type), (*Integer)(&p.Ordinal), &content,
			(*Text)(&p.ToolCallID), (*Word)(&p.ToolName), (*Text)(&p.ToolInput), (*Text)(&p.ToolOutput),
			(*Text)(&p.FileName), (*Text)(&p.Metadata))
		p.Text, p.NoText = content.Text, content.Null
		for _, t := range []*string{&p.Text, &p.ToolInput, &p.ToolOutput, &p.Metadata} {
			*t = wholeRunes(*t, clipBytes != WholeText)
		}
		return err
	})
}

// RawPart is a part as it is stored, for which NULL is not the same as empty.
type RawPart struct {
	Message    int64 // Only EachRawPart tells.
	ID         string
	Type       string
	Ordinal    int64
	Text       Stored
	ToolCallID Stored
	ToolName   Stored
	ToolInput  Stored
	ToolOutput Stored
	Metadata   Stored
}

// EachRawPart calls fn with every part of a conversation's messages, by the
// messages' seq and then by ordinal. A part is good until fn returns.
func (db *DB) EachRawPart(ctx context.Context, conv int64, fn func(*RawPart) error) error {
	s := db.Schema()
	if !s.hasCore("messages", "message_parts") {
		return nil
	}
	query := "SELECT p.message_id, " + s.stored("message_parts", "p", `part_id part_type ordinal text_content tool_call_id tool_name
		tool_input tool_output metadata`) + ` FROM messages m CROSS JOIN message_parts p ON p.message_id = m.message_id
		WHERE m.conversation_id = ? ORDER BY m.seq, p.ordinal`
	var p RawPart
	return Each(ctx, db, "read message parts", query, []any{conv}, func(scan RowScanner) error {
		err := scan((*Integer)(&p.Message), (*Text)(&p.ID), (*Word)(&p.Type), (*Integer)(&p.Ordinal), &p.Text, &p.ToolCallID,
			&p.ToolName, &p.ToolInput, &p.ToolOutput, &p.Metadata)
		if err != nil {
			return err
		}
		return fn(&p)
	})
}
