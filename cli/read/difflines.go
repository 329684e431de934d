package read

import (
	"bufio"
	"context"
	"encoding/json"

	"lcm-tui/cli"
	"lcm-tui/ops/diff"
	"lcm-tui/ops/diff/filepair"
)

// The kinds of lines of diff --json-lines, in the order in which they are printed: the report
// without its conversations, then each conversation followed by its rows.
const (
	lineReport       = "report"
	lineConversation = "conversation"
	lineRow          = "row"
	lineItem         = "context_item"
)

// reportLine is the first line.
type reportLine struct {
	Type string `json:"type"`
	*diff.Report
	Conversations int `json:"conversations"` // How many differ.
}

// conversationLine is a conversation that differs.
type conversationLine struct {
	Type string `json:"type"`
	*diff.Conversation
}

// rowLine is a row that differs.
type rowLine struct {
	Type         string `json:"type"`
	Conversation int64  `json:"conversation_id"`
	*filepair.Row
}

// diffItemLine is an item of a context that differs.
type diffItemLine struct {
	Type         string `json:"type"`
	Conversation int64  `json:"conversation_id"`
	diff.ItemChange
}

// printLines prints a report as JSON lines. Rows are printed as they are read.
func (d *diffFlags) printLines(ctx context.Context, c *cli.Invocation, comparison *diff.Comparison, r *diff.Report) error {
	c.Wipe()
	out := bufio.NewWriterSize(c.Sys.Out, 1<<16)
	enc := json.NewEncoder(cli.ControlEscaper{To: out}) // It writes whole values, so no character is torn.
	enc.SetEscapeHTML(false)
	if err := enc.Encode(reportLine{lineReport, r, len(r.Conversations)}); err != nil {
		return err
	}
	for _, conv := range r.Conversations {
		if err := enc.Encode(conversationLine{lineConversation, conv}); err != nil {
			return err
		}
		if !d.rows && !comparison.IsOne() {
			continue
		}
		err := comparison.EachRow(ctx, conv, d.rowLimits(), func(r *filepair.Row) error { return enc.Encode(rowLine{lineRow, conv.ID, r}) })
		if err != nil {
			return err
		}
		err = comparison.EachItem(ctx, conv, func(i diff.ItemChange) error { return enc.Encode(diffItemLine{lineItem, conv.ID, i}) })
		if err != nil {
			return err
		}
	}
	return out.Flush()
}
