package home

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// preview is what is read of the conversation under the cursor.
type preview struct {
	newest []lcm.Message // The newest first.
}

const (
	previewMessages = 6   // How many of the newest messages are shown.
	previewBytes    = 600 // How much of each.
	previewLines    = 3   // In how many lines at most.
	previewFindings = 4   // How many kinds of findings are named.
)

// readPreview returns what reads the newest messages of a conversation.
func (c *Conversations) readPreview(r *conversationRow) views.DetailReader[*preview] {
	db := c.env.DB
	return func(ctx context.Context) (*preview, error) {
		ms, err := lcm.Messages(ctx, db, r.ID, lcm.Page{Limit: previewMessages, Clip: previewBytes})
		slices.Reverse(ms)
		return &preview{newest: ms}, err
	}
}

// previewText says what a conversation is, how full its context is, what is wrong, and what was said last.
func (c *Conversations) previewText(r *conversationRow, p *preview, width int) string {
	s := c.env.Styles
	var b strings.Builder
	line := func(text string) { b.WriteString(ui.Cut(text, width) + "\n") }
	b.WriteString(s.Title.Render(ansi.Wrap("#"+views.Itoa(r.ID)+" "+ui.Line(r.name()), width, "")) + "\n")
	b.WriteString(s.Muted.Render(ansi.Wrap(r.sessionText(c.env.Now()), width, "")) + "\n")
	line("")
	if n := r.counts; n != nil {
		line(plural.Count(int(n.Messages), "message", "messages") + ", " + plural.Count(int(n.SummaryCount()), "summary", "summaries"))
		if n.ContextItems > 0 {
			share := float64(n.ContextTokens) / float64(r.budget)
			line(c.text.fullness(r, "context") + s.Muted.Render(" of "+ui.Num(r.budget)+" tokens go to the model"))
			line(ui.Bar(max(4, width-6), min(1, share)) + " " + c.text.fullness(r, "budget"))
		}
	}
	for _, l := range c.text.damageLines(r, width) {
		line(l)
	}
	if p != nil && len(p.newest) > 0 {
		line("")
		line(s.Muted.Render("Last messages, the newest first"))
		for i := range p.newest {
			m := &p.newest[i]
			head := s.Role(m.Role).Render(ui.Pad(views.RoleText(m.Role, 9), 10))
			for k, l := range views.WrapAtMost(ui.Line(messageText(m)), max(8, width-10), previewLines) {
				if k > 0 {
					head = strings.Repeat(" ", 10)
				}
				line(head + l)
			}
		}
	}
	if len(c.rows) <= 8 {
		b.WriteString("\n" + s.Muted.Render(ansi.Wrap(whatIsWhat, width, "")) + "\n")
	}
	return b.String()
}

// whatIsWhat is for who sees the program for the first time.
const whatIsWhat = `A summary stands for older messages or summaries.
The context is what the model gets each turn: summaries, then the newest messages.
The fresh tail is those of the newest messages that are never summarised.`

// sessionText says which session of which host a conversation belongs to, and since when.
func (r *conversationRow) sessionText(now time.Time) string {
	parts := []string{"active"}
	if !r.Active {
		parts[0] = archivedText(r.Conversation)
	}
	switch {
	case r.SessionKey == "":
		parts = append([]string{"session " + ui.Line(r.SessionID)}, parts...)
	case r.SessionKey != r.name():
		parts = append([]string{ui.Line(r.SessionKey)}, parts...)
	}
	return strings.Join(append(parts, "last "+views.Ago(r.last, now)), " · ")
}

// damageLines says what is known to be wrong with a conversation, and which key leads there.
func (t *rowText) damageLines(r *conversationRow, width int) []string {
	s := t.env.Styles
	n, known := t.env.Health(r.ID)
	switch {
	case !known:
		return nil
	case n.Fatal+n.Error+n.Warn == 0:
		return []string{s.Good.Render("nothing is wrong with it")}
	}
	out := []string{t.healthText(r) + s.Muted.Render(" · ⏎ 5 shows them, R repairs")}
	found := t.env.Sound[r.ID].Found
	if found == nil {
		return out
	}
	seen := map[integrity.FaultID]bool{}
	for _, f := range found.Findings {
		fault, ok := integrity.Lookup(f.Fault)
		if !ok || seen[f.Fault] || f.Severity == integrity.Info || len(seen) == previewFindings {
			continue
		}
		seen[f.Fault] = true
		out = append(out, ui.Cut("  "+ui.Line(fault.Title), width))
	}
	return out
}

// messageText returns what was said in a message, or else which tools it calls.
func messageText(m *lcm.Message) string {
	if strings.TrimSpace(m.Content) != "" {
		return m.Content
	}
	var out []string
	for _, p := range m.Parts {
		if p.Text != "" {
			out = append(out, p.Text)
		} else if p.ToolName != "" {
			out = append(out, "["+p.ToolName+"]")
		}
	}
	return strings.Join(out, " ")
}
