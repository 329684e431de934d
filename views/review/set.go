package review

import (
	"strings"

	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// setText lists the conversations of a set, what was selected and is left as it is with the
// reason, and the tables and indexes that become smaller.
func setText(e *views.Env, p *ops.Plan, width int) string {
	st, set := e.Styles, p.Set
	var b strings.Builder
	for _, c := range set.Conversations[:min(len(set.Conversations), mostRows)] {
		b.WriteString(setConversation(e, &c, width) + "\n")
		b.WriteString("      " + st.Muted.Render(ui.Line(views.RowsByTable(c.Rows)+fileText(c))) + "\n")
		if c.Why != "" {
			b.WriteString("      " + st.Muted.Render(ui.Line(c.Why)) + "\n")
		}
	}
	writeRest(&b, st, len(set.Conversations))
	b.WriteString(matchingText(e, set.Matching, width))
	if refused := p.RefusedConversations; len(refused) > 0 && set.Matching == nil {
		b.WriteString("\n" + st.Title.Render("selected, and left as they are") + "\n")
		for _, f := range refused[:min(len(refused), mostRows)] {
			b.WriteString("  #" + ui.Pad(views.Itoa(f.Conversation), 7) + ui.Line(f.Reason) + "\n")
		}
		writeRest(&b, st, len(refused))
	}
	b.WriteString(setObjects(st, set))
	return b.String()
}

// setConversation returns the line of one conversation.
func setConversation(e *views.Env, c *ops.SetConversation, width int) string {
	s := e.Styles
	end := ui.PadLeft(ui.Size(c.Bytes), 9)
	if c.NewestMessage.Valid() {
		end = s.Muted.Render(views.Ago(c.NewestMessage.Time, e.Now())) + end
	}
	name := s.Accent.Render("~ ") + "#" + views.Itoa(c.ID) + " " + ui.Line(views.FirstNonEmpty(c.Key, "no session key")) + s.Muted.Render(" "+c.State)
	return ui.Pad(ui.Cut(name, max(1, width-20)), max(1, width-20)) + ui.PadLeft(end, 20)
}

// fileText says how many large files go with a conversation.
func fileText(c ops.SetConversation) string {
	if c.Files == 0 {
		return ""
	}
	return ", " + plural.Count(c.Files, "large file", "large files") + " of " + ui.Size(c.FileBytes)
}

// setObjects lists the tables and indexes that become smaller.
func setObjects(s *ui.Styles, set *ops.Set) string {
	var b strings.Builder
	for _, o := range set.Objects {
		if o.After < o.Bytes {
			b.WriteString("  " + ui.Pad(ui.Line(o.Name), 40) + ui.PadLeft(ui.Size(o.Bytes), 9) + " → " + ui.Size(o.After) + "\n")
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n" + s.Title.Render("tables and indexes, once the free space is given back") + "\n" + b.String()
}

// writeRest says how many of n more there are than are listed.
func writeRest(b *strings.Builder, s *ui.Styles, n int) {
	if rest := n - mostRows; rest > 0 {
		b.WriteString(s.Muted.Render("… and "+plural.Count(rest, "conversation", "conversations")+" more") + "\n")
	}
}
