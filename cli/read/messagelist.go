package read

import (
	"fmt"
	"strconv"
	"strings"

	"lcm-tui/cli"
	"lcm-tui/data/lcm"
	"lcm-tui/ui"
)

// messageList is the result of messages.
type messageList struct {
	Conversation int64         `json:"conversation_id"`
	Messages     []lcm.Message `json:"messages"`
	HasOlder     bool          `json:"has_older"`
	cli.NextPage
	cli.WarningList
	whole bool
}

func (l *messageList) Print(p *cli.Printer) {
	if len(l.Messages) == 0 {
		p.None("messages", "")
		return
	}
	if l.whole {
		l.texts(p)
		return
	}
	rows := make([][]string, len(l.Messages))
	for i, m := range l.Messages {
		rows[i] = []string{
			strconv.FormatInt(m.ID, 10), strconv.FormatInt(m.Seq, 10), cli.When(m.CreatedAt),
			cli.Styled(p.Styles.Role(m.Role), ui.Line(m.Role)), ui.Num(m.Tokens), place(m), saying(m),
		}
	}
	p.Table([]cli.Column{
		{Title: "id", Right: true},
		{Title: "seq", Right: true, Spare: true},
		{Title: "at", Style: p.Styles.Muted, Spare: true},
		{Title: "role"},
		{Title: "tokens", Right: true},
		{Title: "where", Style: p.Styles.Muted, Spare: true},
		{Title: "text", Grows: true},
	}, rows)
	l.ending(p)
}

// ending says how many messages the list leaves out.
func (l *messageList) ending(p *cli.Printer) {
	if l.HasOlder {
		p.Muted(fmt.Sprintf("there are older ones: lcm-tui messages %d --before %d", l.Conversation, l.Messages[0].ID))
	}
	l.More(p)
}

// texts writes the messages whole.
func (l *messageList) texts(p *cli.Printer) {
	for _, m := range l.Messages {
		p.Line(cli.Styled(p.Styles.Role(m.Role), ui.Line(m.Role)) + cli.Styled(p.Styles.Muted, fmt.Sprintf("  %d  seq %d  %s  %s  %s",
			m.ID, m.Seq, cli.When(m.CreatedAt), ui.Tokens(m.Tokens), place(m))))
		text := m.Content
		for _, part := range m.Parts {
			if text == "" {
				text = strings.TrimSpace(strings.Join([]string{part.Text, part.ToolName, part.ToolInput, part.ToolOutput}, "\n"))
			}
		}
		p.Block(ui.Sanitize(text))
		p.Write("\n")
	}
	l.ending(p)
}

// place says where a message is to be found: in the context, or under a summary; and whether
// its text was forgotten.
func place(m lcm.Message) string {
	if m.Forgotten {
		m.Forgotten = false
		return place(m) + ", forgotten"
	}
	switch {
	case m.InContext:
		return "context"
	case len(m.SummaryIDs) > 0:
		return ui.Line(m.SummaryIDs[0])
	}
	return "–"
}

// saying returns the start of what a message says, or of what its tools were told.
func saying(m lcm.Message) string {
	if s := cli.Preview(m.Content); s != "" {
		return s
	}
	for _, part := range m.Parts {
		for _, s := range []string{part.Text, part.ToolName + " " + part.ToolInput, part.ToolOutput} {
			if s = cli.Preview(s); s != "" {
				return s
			}
		}
	}
	return ""
}
