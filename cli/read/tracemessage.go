package read

import (
	"fmt"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"lcm-tui/cli"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/provenance"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// messageTrace is the result of trace for a message.
type messageTrace struct {
	ID           int64          `json:"message_id"`
	Conversation int64          `json:"conversation_id"`
	Paths        [][]string     `json:"paths"`
	InContext    []contextPlace `json:"in_context"`
	Reason       string         `json:"reason"`
	Explanation  string         `json:"explanation"`
	Fault        bool           `json:"fault"`
	Forgotten    bool           `json:"forgotten,omitempty"` // Its text is a stub.
	Budget       *int64         `json:"budget"`              // Where the budget matters.
	Least        *int64         `json:"least_budget"`        // As above.
	Missing      []string       `json:"missing_summary_ids"`
	Foreign      []string       `json:"foreign_summary_ids"`
	Pending      []pendingPlace `json:"pending"`
	cli.WarningList
	from *provenance.MessageTrace
}

// contextPlace is where the message or a summary above it stands.
type contextPlace struct {
	Ordinal      int64  `json:"ordinal"`
	ID           string `json:"id"`
	Conversation int64  `json:"conversation_id"`
}

// pendingPlace is a summary that a host prepares of the message.
type pendingPlace struct {
	Node   string `json:"node_id"`
	Batch  string `json:"batch_id"`
	Status string `json:"status"`
}

func newMessageTrace(t *provenance.MessageTrace) *messageTrace {
	m := &messageTrace{
		ID: t.Message.ID, Forgotten: t.Message.Forgotten, Conversation: t.Message.Conversation, Paths: t.Paths(), InContext: []contextPlace{}, Reason: string(t.Reason.Kind),
		Explanation: t.Reason.Text(), Fault: t.Reason.IsFault(), Missing: append([]string{}, t.Missing...), Foreign: append([]string{}, t.Foreign...),
		Pending: []pendingPlace{}, from: t,
	}
	for _, p := range t.Places {
		id := p.Summary
		if id == "" {
			id = "msg:" + strconv.FormatInt(p.Message, 10)
		}
		m.InContext = append(m.InContext, contextPlace{p.Ordinal, id, p.Conversation})
	}
	for i := range t.Pending {
		n := &t.Pending[i]
		m.Pending = append(m.Pending, pendingPlace{n.ID, n.Batch, n.Status})
	}
	if t.Reason.Place != nil {
		m.Budget, m.Least = &t.Reason.Budget, &t.Reason.Least
	}
	return m
}

func (m *messageTrace) Print(p *cli.Printer) {
	msg := &m.from.Message
	p.Title(fmt.Sprintf("msg:%d", m.ID))
	p.Muted(fmt.Sprintf("%s, seq %d of conversation %d, %s, %s", ui.LineN(msg.Role, 12), msg.Seq, m.Conversation, cli.When(msg.CreatedAt), ui.Tokens(msg.Tokens)))
	if text := cli.Preview(provenance.SourceText(*msg)); text != "" {
		p.Line(text)
	}
	if m.Forgotten {
		p.Write(p.Styles.Warn.Render("its text was forgotten, and this stub stands in its place") + "\n")
	}
	reason := p.Styles.Good
	switch {
	case m.Fault:
		reason = p.Styles.Bad
	case m.from.Reason.Kind != provenance.InContext && m.from.Reason.Kind != provenance.ThroughSummaries:
		reason = p.Styles.Warn
	}
	p.Write(reason.Render(m.Explanation) + "\n\n")
	m.tree(p)
	for i := range m.from.Pending {
		n := &m.from.Pending[i]
		p.Linef("the host prepares %s of it (%s, batch %s); it isn't published", ui.LineN(n.ID, 40), ui.LineN(n.Status, 12), ui.LineN(n.Batch, 40))
	}
}

// tree draws the summaries above the message.
func (m *messageTrace) tree(p *cli.Printer) {
	own := ""
	if places := m.from.PlacesOf(""); len(places) > 0 {
		own = "  " + p.Styles.Accent.Render(placesText(places, m.Conversation))
	}
	p.Line(fmt.Sprintf("● msg:%d", m.ID) + own)
	steps := m.from.Steps()
	widest := 0
	for i := range steps {
		widest = max(widest, lipgloss.Width(steps[i].Branch)+3+lipgloss.Width(steps[i].ID))
	}
	for i := range steps {
		p.Line(stepText(p, &steps[i], m.Conversation, min(widest, 64)))
	}
	if len(steps) == 0 {
		p.Muted("no summary was made of it")
	}
}

// stepText returns a step of the tree in one line.
func stepText(p *cli.Printer, s *provenance.Step, conv int64, width int) string {
	depth := "?"
	if s.Summary != nil {
		depth = "d" + strconv.FormatInt(s.Summary.Depth, 10)
	}
	id := s.Branch + depth + " " + ui.LineN(s.ID, 40)
	line := p.Styles.Muted.Render(s.Branch) + ui.Pad(strings.TrimPrefix(id, s.Branch), max(0, width-lipgloss.Width(s.Branch)))
	var about []string
	if len(s.Places) > 0 {
		about = append(about, p.Styles.Accent.Render(placesText(s.Places, conv)))
	}
	switch {
	case s.Summary == nil:
		about = append(about, p.Styles.Bad.Render("missing: a link names it, and the file doesn't have it"))
	case s.Cycle:
		about = append(about, p.Styles.Bad.Render("a cycle: it was made of what was made of it"))
	case s.Repeated:
		about = append(about, p.Styles.Muted.Render("as above"))
	case s.Foreign:
		about = append(about, p.Styles.Bad.Render(fmt.Sprintf("of conversation %d", s.Summary.Conversation)))
	}
	if s.Summary != nil && !s.Repeated && !s.Cycle {
		about = append(about, p.Styles.Muted.Render(cli.Preview(s.Summary.Content)))
	}
	return line + "  " + strings.Join(about, "  ")
}

// placesText says where in the context something stands.
func placesText(places []lcm.ContextPosition, conv int64) string {
	var own, foreign []string
	for _, p := range places {
		if p.Conversation == conv {
			own = append(own, strconv.FormatInt(p.Ordinal, 10))
		} else {
			foreign = append(foreign, fmt.Sprintf("%d of conversation %d", p.Ordinal, p.Conversation))
		}
	}
	all := append(own, foreign...)
	return "◀ in the context at " + plural.Noun(len(all), "place ", "places ") + strings.Join(all, ", ")
}
