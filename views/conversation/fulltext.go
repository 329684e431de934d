package conversation

import (
	"context"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

const (
	sourceClip = 400 // Bytes of a source that are read for its line.
	// mostText is how many bytes of a message a detail shows; the tab of messages
	// shows all.
	mostText = 64 << 10
)

// fullText is the whole text of a summary or a message.
type fullText struct {
	text     string
	markdown bool
	sources  []lcm.Message // Of a leaf.

	laid  string // The text as laid out for width.
	width int
	dark  bool
}

// layOut returns the text, laid out unless it is so already.
func (p *fullText) layOut(width int, dark bool) string {
	if width <= 0 || p.width == width && p.dark == dark {
		return p.laid
	}
	p.width, p.dark, p.laid = width, dark, p.text
	if p.markdown {
		p.laid = withoutBlankEnds(ui.Markdown(p.text, width, dark))
	}
	return p.laid
}

// withoutBlankEnds drops the lines at both ends in which nothing is seen.
func withoutBlankEnds(styled string) string {
	lines := strings.Split(styled, "\n")
	blank := func(l string) bool { return strings.TrimSpace(ansi.Strip(l)) == "" }
	for len(lines) > 0 && blank(lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 0 && blank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "\n")
}

// summaryFullText reads a summary's text, lays it out, and reads of a leaf what it
// was made of.
func summaryFullText(env *views.Env, id string, sources bool, width int) views.DetailReader[*fullText] {
	db, dark := env.DB, env.Styles.DarkBackground
	return func(ctx context.Context) (*fullText, error) {
		s, err := lcm.ReadSummary(ctx, db, id)
		if err != nil {
			return nil, err
		}
		p := &fullText{text: s.Content, markdown: true}
		p.layOut(width, dark)
		if sources && !s.Condensed() {
			p.sources, err = lcm.SourceMessages(ctx, db, id, sourceClip)
		}
		return p, err
	}
}

// messageFullText reads a message's text and parts as plain text.
func messageFullText(db *data.DB, id int64) views.DetailReader[*fullText] {
	return func(ctx context.Context) (*fullText, error) {
		m, err := lcm.ReadMessage(ctx, db, id)
		if err != nil {
			return nil, err
		}
		var out strings.Builder
		out.WriteString(clipped(m.Content, mostText))
		for _, p := range m.Parts {
			if out.Len() > mostText {
				fmt.Fprintf(&out, "\n\n… the rest of %s is in the tab of messages", plural.Count(len(m.Parts), "part", "parts"))
				break
			}
			writePart(&out, p, m.Content)
		}
		return &fullText{text: ui.Sanitize(strings.TrimSpace(out.String()))}, nil
	}
}

// writePart writes what a part says that the message's own text doesn't.
func writePart(out *strings.Builder, p lcm.Part, content string) {
	var body []string
	for _, t := range []string{p.Text, p.ToolInput, p.ToolOutput} {
		if strings.TrimSpace(t) != "" && strings.TrimSpace(t) != strings.TrimSpace(content) {
			body = append(body, clipped(t, mostText/4))
		}
	}
	hasText := strings.TrimSpace(p.Text+p.ToolInput+p.ToolOutput) != "" // In the message's own text.
	if len(body) == 0 && (hasText || p.ToolName == "" && p.FileName == "") {
		return
	}
	head := strings.TrimSpace(strings.Join([]string{ui.Line(p.Type), ui.Line(p.ToolName), ui.Line(p.FileName)}, " "))
	out.WriteString("\n\n[" + strings.Join(strings.Fields(head), " ") + "]\n" + strings.Join(body, "\n→ "))
}

// clipped returns the start of a text, and how much is left out.
func clipped(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return data.StartOfText(text, most) + "\n… " + ui.Size(int64(len(text)-most)) + " more"
}
