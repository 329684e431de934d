package search

import (
	"time"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/engine/search"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// hitRow is a hit in the list. The hit is the one of the results, of which there may be many.
type hitRow struct {
	*search.Hit
	ref string
}

func newHitRow(h *search.Hit) *hitRow { return &hitRow{h, hitRef(h)} }

// hitRef tells hits apart.
func hitRef(h *search.Hit) string { return string(h.Kind) + " " + h.ID() + " " + h.Part.Field }

// isOf reports whether the row is of a hit, as hitRef tells hits apart.
func (r *hitRow) isOf(h *search.Hit) bool {
	return r.Kind == h.Kind && r.Message == h.Message && r.Summary == h.Summary && r.File == h.File && r.Focus == h.Focus &&
		r.Part.ID == h.Part.ID && r.Part.Field == h.Part.Field
}

// hitRows returns a row for each hit. The rows of hits that had one before stay the same.
func hitRows(hits []*search.Hit, before []*hitRow) []*hitRow {
	out := make([]*hitRow, len(hits))
	var known map[string]*hitRow // Made where the orders differ.
	for i, h := range hits {
		switch {
		case known == nil && i < len(before) && before[i].isOf(h):
			out[i] = before[i]
		case known == nil && i < len(before):
			known = make(map[string]*hitRow, len(before)-i)
			for _, r := range before[i:] {
				known[r.ref] = r
			}
			fallthrough
		default:
			if out[i] = known[hitRef(h)]; out[i] == nil {
				out[i] = newHitRow(h)
			}
		}
		out[i].Hit = h
	}
	return out
}

func (r *hitRow) id() string { return r.ref }

// place returns what the hit is called in commands: its conversation and its id.
func (r *hitRow) place() string {
	id := r.ID()
	if r.Kind == search.PartKind {
		id = "msg:" + views.Itoa(r.Message)
	}
	return "conv:" + views.Itoa(r.Conversation) + " " + ui.Line(id)
}

// The widths from which a list of hits names their conversations, and from which it has room for the day and the time,
// which tell old hits apart.
const (
	conversationFrom = 60
	wholeTimeFrom    = 76
)

// hitColumns returns the columns of the list.
func hitColumns(width int) views.Columns {
	return views.Lay([]views.Column{
		{Title: "conversation", Width: 16, From: conversationFrom},
		{Title: "what", Width: 10},
		{Title: "when", Width: whenWidth(width), Right: true},
		{Title: "text"},
	}, width)
}

// whenWidth returns the width of the column of times.
func whenWidth(width int) int {
	if width >= wholeTimeFrom {
		return len("01-06 09:14")
	}
	return len("51w ago")
}

// when returns a time in width cells: the day and the time in this year, the date in another one,
// or how long ago it was.
func when(e *views.Env, t time.Time, width int) string {
	switch {
	case t.IsZero() || width < len("01-06 09:14"):
		return views.Ago(t, e.Now())
	case e.Local(t).Year() != e.Now().Year():
		return e.Local(t).Format(time.DateOnly)
	}
	return e.Local(t).Format("01-02 15:04")
}

// row draws a hit: whether the model sees it, of which conversation it is, what, when, and the
// text around its first match.
func (v *Search) row(r *hitRow, width int, _ bool) string {
	s := v.env.Styles
	columns := hitColumns(width)
	return columns.Line(func(title string) string {
		switch title {
		case "conversation":
			return s.Muted.Render(ui.CutMiddle(v.names.of(r.Conversation), columns.Width(title)))
		case "what":
			return r.what(s)
		case "when":
			return s.Muted.Render(when(v.env, r.At.Time, columns.Width(title)))
		}
		return r.text(s, columns.Width("text"))
	})
}

// what returns the role of a message, the depth of a summary, or the kind of another hit.
func (r *hitRow) what(s *ui.Styles) string {
	mark := " "
	if r.InContext {
		mark = s.Good.Render("●")
	}
	switch r.Kind {
	case search.SummaryKind:
		return mark + s.Depth(int(r.Depth)).Render("d"+views.Itoa(r.Depth))
	case search.FileKind:
		return mark + s.Accent.Render("file")
	case search.FocusKind:
		return mark + s.Accent.Render("focus")
	}
	return mark + s.Role(r.Role).Render(views.RoleText(r.Role, 9))
}

// text returns the snippet, moved so that its first match is seen in width cells.
func (r *hitRow) text(s *ui.Styles, width int) string {
	head := ""
	if r.Copies > 1 {
		head = s.Muted.Render("×"+ui.Num(int64(r.Copies))) + " "
	}
	if r.Kind == search.FileKind && r.FileName != "" {
		head += s.Title.Render(ui.LineN(r.FileName, width/2)) + " "
	}
	if r.Kind == search.PartKind {
		head += r.partSign(s)
	}
	room := width - ansi.StringWidth(head)
	snippet := views.MarkSpans(r.Snippet, r.Spans, views.HitStyle(s), ui.Sanitize)
	if len(r.Spans) > 0 {
		from := ansi.StringWidth(ui.Sanitize(r.Snippet[:r.Spans[0].From]))
		snippet = views.CutAround(snippet, from, from+ansi.StringWidth(r.Snippet[r.Spans[0].From:r.Spans[0].To]), room)
	}
	return ui.Cut(head+snippet, width)
}

// isAnswer reports whether the part is what a tool answered.
func (r *hitRow) isAnswer() bool {
	return r.Part.Field == "tool_output" || r.Part.Type == "tool" && r.Part.Field == "text_content"
}

// partSign returns what stands before the text of a part, as among the messages.
func (r *hitRow) partSign(s *ui.Styles) string {
	switch {
	case r.Part.Field == "tool_input":
		return s.Tool.Render("["+views.FirstNonEmpty(ui.LineN(r.Part.Tool, 24), "tool")+"]") + " "
	case r.isAnswer():
		return s.Tool.Render("↳") + " "
	case r.Part.Type == "reasoning":
		return s.Muted.Render("⋯") + " "
	}
	return ""
}
