package cli

import (
	"fmt"
	"strconv"
	"strings"

	"lcm-tui/data/lcm"
	"lcm-tui/ui"
)

// messageList is the result of messages.
type messageList struct {
	Conversation int64         `json:"conversation_id"`
	Messages     []lcm.Message `json:"messages"`
	HasOlder     bool          `json:"has_older"`
	nextPage
	warningList
	whole bool
}

func (l *messageList) Print(p *printer) {
	if len(l.Messages) == 0 {
		p.none("messages", "")
		return
	}
	if l.whole {
		l.texts(p)
		return
	}
	rows := make([][]string, len(l.Messages))
	for i, m := range l.Messages {
		rows[i] = []string{
			strconv.FormatInt(m.ID, 10), strconv.FormatInt(m.Seq, 10), when(m.CreatedAt),
			styled(p.styles.Role(m.Role), ui.Line(m.Role)), ui.Num(m.Tokens), place(m), saying(m),
		}
	}
	p.table([]column{
		{title: "id", right: true},
		{title: "seq", right: true, spare: true},
		{title: "at", style: p.styles.Muted, spare: true},
		{title: "role"},
		{title: "tokens", right: true},
		{title: "stands", style: p.styles.Muted, spare: true},
		{title: "text", grows: true},
	}, rows)
	l.ending(p)
}

// ending says how many messages the list leaves out.
func (l *messageList) ending(p *printer) {
	if l.HasOlder {
		p.muted(fmt.Sprintf("there are older ones: lcm-tui messages %d --before %d", l.Conversation, l.Messages[0].ID))
	}
	l.more(p)
}

// texts writes the messages whole.
func (l *messageList) texts(p *printer) {
	for _, m := range l.Messages {
		p.line(styled(p.styles.Role(m.Role), ui.Line(m.Role)) + styled(p.styles.Muted, fmt.Sprintf("  %d  seq %d  %s  %s  %s",
			m.ID, m.Seq, when(m.CreatedAt), ui.Tokens(m.Tokens), place(m))))
		text := m.Content
		for _, part := range m.Parts {
			if text == "" {
				text = strings.TrimSpace(strings.Join([]string{part.Text, part.ToolName, part.ToolInput, part.ToolOutput}, "\n"))
			}
		}
		p.block(ui.Sanitize(text))
		p.write("\n")
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

// saying is the start of what a message says, or of what its tools were told.
func saying(m lcm.Message) string {
	if s := preview(m.Content); s != "" {
		return s
	}
	for _, part := range m.Parts {
		for _, s := range []string{part.Text, part.ToolName + " " + part.ToolInput, part.ToolOutput} {
			if s = preview(s); s != "" {
				return s
			}
		}
	}
	return ""
}
