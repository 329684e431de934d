package search

import (
	"context"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/search"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

const (
	hitTextMost = 256 << 10 // Bytes of a hit's text that are shown.
	hitTextLead = 16 << 10  // How many of them stand before the first match of a longer text.
)

// placeReader returns what reads the text of a hit and what stands around it.
func placeReader(e *views.Env) func(*hitRow) views.DetailReader[*search.Place] {
	return func(r *hitRow) views.DetailReader[*search.Place] {
		db, hit := e.DB, *r.Hit
		return func(ctx context.Context) (*search.Place, error) { return search.ReadPlace(ctx, db, hit) }
	}
}

// describe returns the place of a hit: what it is, how the model sees it, and its text with the
// matches marked, between the messages around it.
func (v *Search) describe(r *hitRow, p *search.Place, width int) string {
	w := placeWriter{env: v.env, row: r, place: p, width: width, match: -1, highlight: v.query.Highlight}
	if p == nil {
		w.title(v.names.of(r.Conversation))
		w.line("", w.wrap(views.MarkSpans(r.Snippet, r.Spans, views.HitStyle(v.env.Styles), ui.Sanitize)))
		return w.text()
	}
	w.write(v.names.of(r.Conversation))
	if v.scrolled != r.ref {
		v.scrolled = r.ref
		if top := w.match - max(2, v.Height/3); w.match > v.Height-4 && top > 0 {
			v.ScrollTo = views.ScrollTarget{Ref: r.ref, Offset: top}
		}
	}
	return w.text()
}

// placeWriter writes the place of a hit out in lines of width cells.
type placeWriter struct {
	env       *views.Env
	row       *hitRow
	place     *search.Place
	width     int
	highlight func(string) []search.Span
	lines     []string
	match     int // The line of the first match; -1 for none.
}

func (w *placeWriter) line(texts ...string) {
	for _, t := range texts {
		w.lines = append(w.lines, strings.Split(t, "\n")...)
	}
}

func (w *placeWriter) text() string { return views.JoinLines(w.lines) }

func (w *placeWriter) wrap(text string) string { return ansi.Wrap(text, max(1, w.width), "") }

// title writes what the hit is and when it was written.
func (w *placeWriter) title(conversation string) {
	s, r := w.env.Styles, w.row
	what := s.Role(r.Role).Bold(true).Render(ui.LineN(r.Role, 24)) + s.Title.Render("  seq "+ui.Num(r.Seq)) + s.Muted.Render("   id "+views.Itoa(r.Message))
	switch r.Kind {
	case search.SummaryKind:
		what = s.Depth(int(r.Depth)).Bold(true).Render("d"+views.Itoa(r.Depth)+" ") + s.Title.Render(ui.Line(r.Summary))
	case search.FileKind:
		what = s.Accent.Render("file ") + s.Title.Render(ui.LineN(r.FileName, w.width/2)) + s.Muted.Render("   "+ui.Line(r.File))
	case search.FocusKind:
		what = s.Accent.Render("focus brief ") + s.Title.Render(ui.Line(r.Focus))
	}
	w.line(ui.Cut(what, w.width))
	w.line(s.Muted.Render(ui.LineN(w.env.Stamp(r.At)+"   "+conversation, w.width)))
}

func (w *placeWriter) write(conversation string) {
	w.title(conversation)
	w.cover()
	text := w.readable()
	spans := w.highlight(text)
	if n := len(spans); n > 1 {
		w.line(w.env.Styles.Muted.Render(plural.Count(n, "match", "matches") + " in this " + w.kind()))
	}
	w.line("")
	for i := range w.place.Before {
		w.neighbour(&w.place.Before[i])
	}
	w.hitText(text, spans)
	for i := range w.place.After {
		w.neighbour(&w.place.After[i])
	}
}

// kind returns what the text of the hit is.
func (w *placeWriter) kind() string {
	switch w.row.Kind {
	case search.SummaryKind:
		return "summary"
	case search.FileKind:
		return "description of the file"
	case search.FocusKind:
		return "brief"
	case search.PartKind:
		switch w.row.Part.Field {
		case "tool_input":
			return "call"
		case "tool_output":
			return "result"
		}
		return "part"
	}
	return "message"
}

// cover writes how the model sees the hit: itself, through summaries, or not at all.
func (w *placeWriter) cover() {
	s, p := w.env.Styles, w.place
	var steps []string
	for _, n := range p.Cover {
		if w.row.Kind == search.SummaryKind && n == p.Cover[0] {
			continue
		}
		steps = append(steps, s.Depth(int(n.Depth)).Render("d"+views.Itoa(n.Depth)+" "+ui.Line(n.ID)))
	}
	covered := strings.Join(steps, s.Muted.Render(" ▸ "))
	place := ""
	if n := len(p.Cover); n > 0 && p.Cover[n-1].InContext() {
		place = s.Good.Render("●") + " in the context at " + views.Itoa(p.Cover[n-1].Ordinal)
	}
	switch {
	case p.Message != nil && p.Message.InContext:
		w.line(s.Good.Render("●") + " in the context")
	case covered != "":
		w.line(w.wrap(s.Muted.Render("covered by ") + covered + views.TextWhen(place != "", " ") + place))
	case place != "":
		w.line(place)
	case p.Message != nil:
		w.line(s.Warn.Render("! neither in the context nor under a summary"))
	}
}

// neighbour writes a message around the hit in one line.
func (w *placeWriter) neighbour(m *lcm.Message) {
	s := w.env.Styles
	head := s.Role(m.Role).Render(ui.Pad(views.RoleText(m.Role, 9), 9)) + " "
	w.line(head + s.Muted.Render(ui.LineN(views.FirstNonEmpty(m.Opening(), "(empty)"), max(1, w.width-10))))
}

// readable returns the text of the hit as it reads in the messages: the argument of a call where the match is in it, the
// answer of a tool, and of a message without a text its first part.
func (w *placeWriter) readable() string {
	text, short := w.place.Text, w.place.Text
	switch m := w.place.Message; {
	case w.row.Kind == search.PartKind:
		short = w.row.Part.Readable(text)
	case m != nil:
		return m.Opening()
	}
	if len(w.highlight(short)) == 0 && len(w.highlight(text)) > 0 {
		return text
	}
	return short
}

// hitText writes the text of the hit with its matches marked. Of a very long one it writes the
// part around the first match.
func (w *placeWriter) hitText(text string, spans []search.Span) {
	s := w.env.Styles
	bar := s.Accent.Render("┃") + " "
	first, last := 0, len(text)
	if last > hitTextMost {
		if len(spans) > 0 {
			first = runeStart(text, max(0, spans[0].From-hitTextLead))
		}
		last = runeStart(text, min(last, first+hitTextMost))
	}
	shown := make([]search.Span, 0, len(spans))
	for _, sp := range spans {
		if sp.From >= first && sp.To <= last {
			shown = append(shown, search.Span{From: sp.From - first, To: sp.To - first})
		}
	}
	if head := w.partHead(); head != "" {
		w.line(bar + head)
	}
	if first > 0 {
		w.line(bar + s.Faint.Render("… "+ui.Size(int64(first))+" before"))
	}
	marked := views.MarkSpans(text[first:last], shown, views.HitStyle(s), ui.Sanitize)
	for _, l := range ui.WrapLines(marked, max(1, w.width-2)) {
		if w.match < 0 && strings.Contains(l, "\x1b[") {
			w.match = len(w.lines)
		}
		w.line(bar + l)
	}
	if rest := len(text) - last; rest > 0 {
		w.line(bar + s.Faint.Render("… "+ui.Size(int64(rest))+" more"))
	}
}

// partHead says which part of the message the text is.
func (w *placeWriter) partHead() string {
	if w.row.Kind != search.PartKind {
		return ""
	}
	s, p := w.env.Styles, w.row.Part
	name := ui.LineN(views.FirstNonEmpty(p.Tool, p.Type), 40)
	switch {
	case p.Field == "tool_input":
		return s.Tool.Render("call of ") + s.Title.Render(name)
	case w.row.isAnswer():
		return s.Tool.Render("↳ answer of ") + s.Title.Render(name)
	}
	return s.Tool.Render("part ") + s.Title.Render(name)
}

// runeStart returns the place at or after i where a character begins.
func runeStart(text string, i int) int {
	for i < len(text) && i > 0 && text[i]&0xc0 == 0x80 {
		i++
	}
	return i
}
