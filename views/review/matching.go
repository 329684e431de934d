package review

import (
	"fmt"
	"strings"

	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/prune/proof"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// matchingText lists what a query found: the messages that are forgotten with their first words, those that stay with
// the reason and the next step, and the other places with the same words.
func matchingText(e *views.Env, m *ops.Matching, width int) string {
	if m == nil {
		return ""
	}
	st := e.Styles
	var b strings.Builder
	head := func(text string) { b.WriteString("\n" + st.Title.Render(text) + "\n") }
	if len(m.Messages) > 0 {
		head(plural.Count(len(m.Messages), "message", "messages") + " to be forgotten")
		for _, f := range m.Messages[:min(len(m.Messages), mostRows)] {
			line := fmt.Sprintf("  #%d msg:%d %s  ", f.Conversation, f.ID, ui.Line(f.Role))
			b.WriteString(ui.Cut(st.Accent.Render(line)+ui.Line(f.Start), max(1, width)) + "\n")
		}
		writeMore(&b, st, len(m.Messages), "message", "messages")
	}
	if len(m.Kept) > 0 {
		head("found, and left as they are")
		for _, k := range m.Kept[:min(len(m.Kept), mostRows)] {
			writeHanging(&b, ui.Line(fmt.Sprintf("%s: %s: %s", m.Label(k.Conversation), plural.Count(len(k.Messages), "message", "messages"), k.Why)), 2, width)
			writeNext(&b, st, k.OnScreen, width)
		}
		writeMore(&b, st, len(m.Kept), "reason", "reasons")
	}
	if len(m.Holding) > 0 {
		head("other places with the same words, which stay as they are")
		for _, p := range m.Holding[:min(len(m.Holding), mostRows)] {
			writeHanging(&b, placeText(m, p), 2, width)
			writeNext(&b, st, p.OnScreen(), width)
		}
		writeMore(&b, st, len(m.Holding)+m.More, "place", "places")
	}
	return b.String()
}

// placeText names a place, and says why it has the words.
func placeText(m *ops.Matching, p proof.Place) string {
	text := string(p.Kind) + " " + p.Where
	if p.Conversation != 0 {
		text += " of " + m.Label(p.Conversation)
	}
	return ui.Line(text + ": " + p.Why)
}

// writeNext writes the next step, where there is one.
func writeNext(b *strings.Builder, s *ui.Styles, next string, width int) {
	if next != "" {
		writeHanging(b, s.Muted.Render("next: "+ui.Line(next)), 6, width)
	}
}

// writeHanging writes a text behind an indent, and the lines into which it is wrapped a little further in.
func writeHanging(b *strings.Builder, text string, indent, width int) {
	const further = 2
	for i, line := range ui.WrapLines(text, max(1, width-indent-further)) {
		if i == 1 {
			indent += further
		}
		b.WriteString(strings.Repeat(" ", indent) + line + "\n")
	}
}

// writeMore says how many of n more there are than are listed.
func writeMore(b *strings.Builder, s *ui.Styles, n int, one, many string) {
	if rest := n - mostRows; rest > 0 {
		b.WriteString(s.Muted.Render("… and "+plural.Count(rest, one, many)+" more") + "\n")
	}
}

// receiptText says what the receipt of forgotten texts found, and where it is; empty where there is none.
func receiptText(p *ops.Plan) string {
	if p.Set == nil || p.Set.Matching == nil || p.Set.Matching.Receipt == nil {
		return ""
	}
	text := map[proof.State]string{
		proof.Gone: "nothing is left", proof.InTrash: "only the trash has the texts", proof.Left: "something is left",
	}[p.Set.Matching.Receipt.Last().State]
	if path := p.Set.Matching.ReceiptPath; path != "" {
		text += ": " + views.ShortenHome(path)
	}
	return " · receipt: " + ui.Line(text)
}
