package views

import (
	"context"
	"fmt"
	"strings"

	"lcm-tui/data"
	"lcm-tui/engine/summarize"
	"lcm-tui/ui"
)

// mostText is how many bytes of a message a detail shows; the tab of messages
// shows all.
const mostText = 64 << 10

// messagePassage reads a message's text and parts as plain text.
func messagePassage(ctx context.Context, db *data.DB, id int64) (*passage, error) {
	m, err := db.Message(ctx, id)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	out.WriteString(clipped(m.Content, mostText))
	for _, p := range m.Parts {
		if out.Len() > mostText {
			fmt.Fprintf(&out, "\n\n… the rest of %s is in the tab of messages", ui.Count(int64(len(m.Parts)), "part", "parts"))
			break
		}
		writePart(&out, p, m.Content)
	}
	return &passage{text: ui.Clean(strings.TrimSpace(out.String()))}, nil
}

// writePart writes what a part says that the message's own text doesn't.
func writePart(out *strings.Builder, p data.Part, content string) {
	var body []string
	for _, t := range []string{p.Text, p.ToolInput, p.ToolOutput} {
		if strings.TrimSpace(t) != "" && strings.TrimSpace(t) != strings.TrimSpace(content) {
			body = append(body, clipped(t, mostText/4))
		}
	}
	said := strings.TrimSpace(p.Text+p.ToolInput+p.ToolOutput) != "" // In the message's own text.
	if len(body) == 0 && (said || p.ToolName == "" && p.FileName == "") {
		return
	}
	head := strings.TrimSpace(strings.Join([]string{ui.Line(p.Type), ui.Line(p.ToolName), ui.Line(p.FileName)}, " "))
	out.WriteString("\n\n[" + strings.Join(strings.Fields(head), " ") + "]\n" + strings.Join(body, "\n→ "))
}

// clipped is the start of a text, and how much is left out.
func clipped(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "\n… " + ui.Size(int64(len(text)-most)) + " more"
}

// describe is everything about an item, and its text.
func (v *Context) describe(r *contextRow, p *passage) string {
	s := v.env().Styles
	var out strings.Builder
	out.WriteString(v.name(r) + "\n")
	if r.Missing {
		return out.String() + s.Bad.Render("! missing") + "\n\n" +
			"The context names this " + ui.LineN(r.Type, 20) + " at " + itoa(r.Ordinal) + ", but its row is gone. The host skips it.\n"
	}
	out.WriteString(s.Muted.Render(v.figures(r)) + "\n")
	if m := v.marks[r.Summary]; r.IsSummary() && m != summarize.None {
		out.WriteString(s.Bad.Render("! "+markerName(m)+": "+markerMeaning(m)) + "\n")
	}
	if !r.kept {
		out.WriteString(s.Bad.Render("× falls out under a budget of "+ui.Num(v.budget)) + "\n")
	}
	out.WriteString("\n")
	switch {
	case p == nil:
		out.WriteString(ui.Clean(r.Preview) + s.Faint.Render(" …"))
	case strings.TrimSpace(p.laid) == "":
		out.WriteString(s.Muted.Render("there is no text in it"))
	default:
		out.WriteString(p.laid)
	}
	return out.String() + "\n"
}

// name is what an item is, in full.
func (v *Context) name(r *contextRow) string {
	s := v.env().Styles
	if r.IsSummary() {
		if r.Missing {
			return s.Title.Render(ui.Line(r.Summary))
		}
		return s.Title.Render(ui.Line(r.Summary)) + "\n" + depthLabel(s, r.Depth) + " " + ui.LineN(r.Kind, 20) + s.Muted.Render(" · at "+itoa(r.Ordinal))
	}
	if r.Missing {
		return s.Title.Render("message " + itoa(r.Message))
	}
	return s.Title.Render("#"+itoa(r.Seq)) + " " + s.Role(r.Role).Render(ui.LineN(r.Role, 20)) +
		s.Muted.Render(" · message "+itoa(r.Message)+" · at "+itoa(r.Ordinal))
}

// figures is when an item is from, and its size.
func (v *Context) figures(r *contextRow) string {
	share := fmt.Sprintf("%.1f%% of the budget", 100*float64(r.Tokens)/float64(max(1, v.budget)))
	out := ui.Tokens(r.Tokens) + ", " + share
	if r.At.Valid() {
		t := r.At.In(v.env().Now().Location())
		until := ""
		if r.IsSummary() {
			until = "until "
		}
		out = until + t.Format(stampFormat+" MST") + " · " + out
	}
	if r.tail {
		out += " · fresh tail"
	}
	return out
}
