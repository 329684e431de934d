package lcm

import (
	"context"
	"slices"

	"lcm-tui/data"
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

func parts(ctx context.Context, db data.Querier, where string, args []any, clipBytes int) ([]Part, error) {
	s := db.Schema()
	col := func(name string) string { return s.Clip(s.Expr("message_parts", "p", name, "NULL"), clipBytes) }
	q := data.RowQuery{From: "message_parts p", Number: "p.rowid", Where: "p." + where, Args: args, Order: "p.message_id, p.ordinal"}
	q.KeyOrder = q.Order
	q.Selected = "p.part_id, p.message_id, " + s.Exprs("message_parts", "p", "part_type", "ordinal") + ", " +
		col("text_content") + ", " + s.Exprs("message_parts", "p", "tool_call_id", "tool_name") + ", " +
		col("tool_input") + ", " + col("tool_output") + ", " + s.Exprs("message_parts", "p", "file_name") + ", " + col("metadata")
	return data.CollectRows(ctx, db, "read message parts", q, nil, func(scan data.RowScanner, p *Part) error {
		var content data.Stored
		err := scan((*data.Text)(&p.ID), (*data.Integer)(&p.Message), (*data.Word)(&p.Type), (*data.Integer)(&p.Ordinal), &content,
			(*data.Text)(&p.ToolCallID), (*data.Word)(&p.ToolName), (*data.Text)(&p.ToolInput), (*data.Text)(&p.ToolOutput),
			(*data.Text)(&p.FileName), (*data.Text)(&p.Metadata))
		p.Text, p.NoText = content.Text, content.Null
		for _, t := range []*string{&p.Text, &p.ToolInput, &p.ToolOutput, &p.Metadata} {
			*t = data.Clipped(*t, clipBytes)
		}
		return err
	})
}

// PartsOf returns the parts of messages, by message, with the start of each text.
func PartsOf(ctx context.Context, db data.Querier, messages []int64, clipBytes int) (map[int64][]Part, error) {
	out := map[int64][]Part{}
	if !db.Schema().Has("message_parts") {
		return out, nil
	}
	for chunk := range slices.Chunk(messages, data.MaxArgs) {
		args := make([]any, len(chunk))
		for i, id := range chunk {
			args[i] = id
		}
		ps, err := parts(ctx, db, "message_id IN ("+data.Marks(len(args))+")", args, clipBytes)
		if err != nil {
			return out, err
		}
		for _, p := range ps {
			out[p.Message] = append(out[p.Message], p)
		}
	}
	return out, nil
}

// RawPart is a part as it is stored, for which NULL is not the same as empty.
type RawPart struct {
	Message    int64 // Only EachRawPart tells.
	ID         string
	Type       string
	Ordinal    int64
	Text       data.Stored
	ToolCallID data.Stored
	ToolName   data.Stored
	ToolInput  data.Stored
	ToolOutput data.Stored
	Metadata   data.Stored
}

// EachRawPart calls fn with every part of a conversation's messages, by the
// messages' seq and then by ordinal. A part is good until fn returns.
func EachRawPart(ctx context.Context, db data.Querier, conv int64, fn func(*RawPart) error) error {
	s := db.Schema()
	if !s.HasCore("messages", "message_parts") {
		return nil
	}
	query := "SELECT p.message_id, " + s.Stored("message_parts", "p", `part_id part_type ordinal text_content tool_call_id tool_name
		tool_input tool_output metadata`) + ` FROM messages m CROSS JOIN message_parts p ON p.message_id = m.message_id
		WHERE m.conversation_id = ? ORDER BY m.seq, p.ordinal`
	var p RawPart
	return data.Each(ctx, db, "read message parts", query, []any{conv}, func(scan data.RowScanner) error {
		err := scan((*data.Integer)(&p.Message), (*data.Text)(&p.ID), (*data.Word)(&p.Type), (*data.Integer)(&p.Ordinal), &p.Text, &p.ToolCallID,
			&p.ToolName, &p.ToolInput, &p.ToolOutput, &p.Metadata)
		if err != nil {
			return err
		}
		return fn(&p)
	})
}
