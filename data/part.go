package data

import "context"

// Part is a row of message_parts: one block of a message. Hosts fill no other
// columns than these.
type Part struct {
	ID         string `json:"part_id"`
	Message    int64  `json:"-"`
	Type       string `json:"part_type"` // text, reasoning, tool, file, …
	Ordinal    int64  `json:"ordinal"`
	Text       string `json:"text_content,omitempty"`
	ToolCallID string `json:"tool_call_id,omitempty"`
	ToolName   string `json:"tool_name,omitempty"`
	ToolInput  string `json:"tool_input,omitempty"`
	ToolOutput string `json:"tool_output,omitempty"`
	FileName   string `json:"file_name,omitempty"`
	Metadata   string `json:"metadata,omitempty"` // JSON, if all is well.
}

func (db *DB) parts(ctx context.Context, where string, args []any, clipBytes int) ([]Part, error) {
	s := db.schema
	col := func(name string) string { return clip(s.expr("message_parts", "p", name, "NULL"), clipBytes) }
	q := rowQuery{from: "message_parts p", number: "p.rowid", where: "p." + where, args: args, order: "p.message_id, p.ordinal"}
	q.keyOrder = q.order
	q.selected = "p.part_id, p.message_id, " + s.exprs("message_parts", "p", "part_type", "ordinal") + ", " +
		col("text_content") + ", " + s.exprs("message_parts", "p", "tool_call_id", "tool_name") + ", " +
		col("tool_input") + ", " + col("tool_output") + ", " + s.exprs("message_parts", "p", "file_name") + ", " + col("metadata")
	return collectRows(ctx, db, "read message parts", q, nil, func(scan RowScanner, p *Part) error {
		err := scan((*text)(&p.ID), (*integer)(&p.Message), (*word)(&p.Type), (*integer)(&p.Ordinal), (*text)(&p.Text),
			(*text)(&p.ToolCallID), (*word)(&p.ToolName), (*text)(&p.ToolInput), (*text)(&p.ToolOutput),
			(*text)(&p.FileName), (*text)(&p.Metadata))
		for _, t := range []*string{&p.Text, &p.ToolInput, &p.ToolOutput, &p.Metadata} {
			*t = wholeRunes(*t, clipBytes != WholeText)
		}
		return err
	})
}
