package conversation

import (
	"cmp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/search"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

const (
	proseWidth = 104 // Cells of a line of text at most: longer ones are hard to read.
	markWidth  = 2   // Cells before the text, of which the first is the cursor's.
)

// View implements ui.Screen.
func (v *Reading) View(width, height int) string {
	s := v.env.Styles
	resized := v.height != max(1, height-1) || v.drawn.width != width
	v.height = max(1, height-1)
	if now := (readingLayout{width, v.unfolded, s.DarkBackground, v.needle}); now != v.drawn {
		first := v.drawn.width == 0
		v.drawn = now
		clear(v.laid)
		if first && v.loaded && v.target != nil {
			at := *v.target
			v.target = nil
			v.show(at)
		}
	}
	switch {
	case !v.loaded:
		return ui.Cut(s.Muted.Render(" "+views.FirstNonEmpty(v.notRead, "reading the messages")), width)
	case len(v.window.items) == 0:
		return s.Muted.Render(" no messages: the host stores the first one when the agent gets it")
	}
	v.clamp()
	if resized {
		v.reveal()
	}
	var out []string
	for i, from := v.index(v.top.seq), v.top.line; i < len(v.window.items) && len(out) < v.height; i, from = i+1, 0 {
		for n, l := range v.lines(i)[from:] {
			mark := " "
			if v.window.items[i].Seq == v.current && from+n == 0 {
				mark = s.Accent.Render("▌")
			}
			out = append(out, mark+strings.Repeat(" ", markWidth-1)+l)
		}
	}
	return ui.Fit(v.bar(width)+"\n"+strings.Join(out[:min(len(out), v.height)], "\n"), width, height)
}

// bar says where the cursor is, or takes what is searched.
func (v *Reading) bar(width int) string {
	s := v.env.Styles
	if v.Typing() {
		return " " + v.input.View(width-1)
	}
	left, right := " ", ""
	if m, ok := v.message(); ok && m.CreatedAt.Valid() {
		left += v.env.Local(m.CreatedAt.Time).Format("Mon 2006-01-02 15:04 MST")
	}
	if v.needle != "" {
		right = "/ " + ui.LineN(v.needle, width/3) + "   " + v.match.matchText() + "   esc clears "
	}
	return s.Muted.Render(ui.Cut(ui.Pad(left, max(0, width-ansi.StringWidth(right)))+right, width))
}

// index returns the place in the window of the message of a seq, or of the next one.
func (v *Reading) index(seq int64) int {
	i, _ := slices.BinarySearchFunc(v.window.items, seq, func(m lcm.Message, seq int64) int { return cmp.Compare(m.Seq, seq) })
	return max(0, min(i, len(v.window.items)-1))
}

// lines returns those of the i-th message of the window.
func (v *Reading) lines(i int) []string {
	m := &v.window.items[i]
	if l, ok := v.laid[m.Seq]; ok {
		return l
	}
	l := v.layOut(m)
	v.laid[m.Seq] = l
	return l
}

// show puts a place on screen, with the cursor on its message. A match stands a third of
// the screen below the top, so that what leads to it is seen.
func (v *Reading) show(at readingPlace) {
	if len(v.window.items) == 0 {
		return
	}
	i := v.index(at.seq)
	lines := v.lines(i)
	at.seq = v.window.items[i].Seq
	at.line = max(0, min(at.line, len(lines)-1))
	v.current = at.seq
	if !at.match || len(v.hits(lines)) == 0 {
		v.top = readingPlace{seq: at.seq, line: at.line}
		v.clamp()
		return
	}
	at.line = v.matchLine(lines, at)
	v.matchAt, v.top = at, readingPlace{seq: at.seq, line: at.line}
	v.shift(-v.height / 3)
}

// matchLine returns the line of a message that a place with a match means.
func (v *Reading) matchLine(lines []string, at readingPlace) int {
	hits := v.hits(lines)
	switch {
	case len(hits) == 0:
		return 0
	case at.backwards && at.line == 0:
		return hits[len(hits)-1]
	}
	for _, h := range hits {
		if h >= at.line {
			return h
		}
	}
	return hits[0]
}

// hits returns the lines that hold what is searched.
func (v *Reading) hits(lines []string) (hits []int) {
	find := finderOf(v.needle, v.marks)
	for i, l := range lines {
		if find != nil && len(find(ansi.Strip(l))) > 0 {
			hits = append(hits, i)
		}
	}
	return hits
}

// matchWithin returns the next match in the message under the cursor, or the previous one.
func (v *Reading) matchWithin(backwards bool) (at readingPlace, ok bool) {
	if v.matchAt.seq != v.current || len(v.window.items) == 0 {
		return at, false
	}
	hits := v.hits(v.lines(v.index(v.current)))
	if backwards {
		slices.Reverse(hits)
	}
	for _, h := range hits {
		if backwards && h < v.matchAt.line || !backwards && h > v.matchAt.line {
			return readingPlace{seq: v.current, line: h, match: true}, true
		}
	}
	return at, false
}

// scroll moves the text by n lines, and the cursor with it where its message leaves the
// screen.
func (v *Reading) scroll(n int) {
	if len(v.window.items) == 0 {
		return
	}
	v.shift(n)
	first, last := v.visible()
	switch at := v.index(v.current); {
	case at < first:
		v.current = v.window.items[first].Seq
	case at > last:
		v.current = v.window.items[last].Seq
	}
}

// shift moves the top of the screen by n lines, as far as there is text.
func (v *Reading) shift(n int) {
	i, line := v.index(v.top.seq), v.top.line+n
	for line < 0 && i > 0 {
		i--
		line += len(v.lines(i))
	}
	for i < len(v.window.items)-1 && line >= len(v.lines(i)) {
		line -= len(v.lines(i))
		i++
	}
	v.top = readingPlace{seq: v.window.items[i].Seq, line: max(0, min(line, len(v.lines(i))-1))}
	v.clamp()
}

// reveal moves the text as little as possible until the message under the cursor is on screen.
func (v *Reading) reveal() {
	at := v.index(v.current)
	first, last := v.visible()
	if at >= first && at <= last {
		return
	}
	v.top = readingPlace{seq: v.window.items[at].Seq}
	if at > last {
		v.shift(min(0, len(v.lines(at))-v.height))
	}
}

// clamp moves the top up while the text ends above the end of the screen.
func (v *Reading) clamp() {
	i := v.index(v.top.seq)
	v.top = readingPlace{seq: v.window.items[i].Seq, line: min(v.top.line, len(v.lines(i))-1)}
	below := -v.top.line
	for j := i; j < len(v.window.items) && below < v.height; j++ {
		below += len(v.lines(j))
	}
	for missing := v.height - below; missing > 0; {
		if v.top.line >= missing {
			v.top.line -= missing
			return
		}
		missing -= v.top.line
		if v.top.line = 0; i == 0 {
			return
		}
		i--
		v.top = readingPlace{seq: v.window.items[i].Seq, line: len(v.lines(i))}
	}
}

// visible returns the first and the last message of which the heading or a line of text is on
// screen.
func (v *Reading) visible() (first, last int) {
	first = v.index(v.top.seq)
	below := len(v.lines(first)) - v.top.line
	if below <= 1 && first < len(v.window.items)-1 { // Only the blank line at its end.
		first++
		below += len(v.lines(first))
	}
	for last = first; below < v.height && last < len(v.window.items)-1; {
		last++
		below += len(v.lines(last))
	}
	return first, last
}

// layOut lays a message out as lines of text, a blank one last.
func (v *Reading) layOut(m *lcm.Message) []string {
	width := max(8, min(v.drawn.width-2*markWidth, proseWidth))
	w := messageWriter{env: v.env, m: m, width: width, unfolded: v.unfolded, needle: v.needle}
	w.line(v.heading(m, width))
	if v.unfolded {
		w.content()
		for _, p := range m.Parts {
			w.part(p)
		}
	} else {
		v.layOutFolded(&w)
	}
	if m.Clipped() {
		w.line(v.env.Styles.Faint.Render("… " + ui.Size(max(0, m.Bytes-int64(len(m.Content)))) + " more: ⏎ shows this message in the list, with all of its text"))
	}
	find := finderOf(v.needle, v.marks)
	var out []string
	for _, l := range ui.WrapLines(strings.TrimRight(w.b.String(), "\n "), width) {
		if strings.TrimSpace(ansi.Strip(l)) == "" && (len(out) == 0 || out[len(out)-1] == "") {
			continue // One blank line is enough.
		}
		if strings.TrimSpace(ansi.Strip(l)) == "" {
			l = ""
		}
		if find != nil {
			l = views.UnderlineMarks(l, find)
		}
		out = append(out, l)
	}
	if len(out) > 1 && out[1] == "" { // None under the heading.
		out = slices.Delete(out, 1, 2)
	}
	return append(out, "")
}

// heading names the role, the time and the number of a message.
func (v *Reading) heading(m *lcm.Message, width int) string {
	s := v.env.Styles
	at := ""
	if m.CreatedAt.Valid() {
		at = v.env.Local(m.CreatedAt.Time).Format("2006-01-02 15:04") + "  "
	}
	head := s.Role(m.Role).Bold(true).Render(ui.LineN(m.Role, 24)) + s.Muted.Render("  "+at+"#"+ui.Num(m.Seq)+"  "+ui.Tokens(m.Tokens)+" ")
	return ui.Cut(head+s.Faint.Render(strings.Repeat("─", max(0, width-ansi.StringWidth(head)))), width)
}

// layOutFolded writes a message with tools and reasoning in a line each. A part stands
// whole where only its hidden text holds what is searched.
func (v *Reading) layOutFolded(w *messageWriter) {
	s, m, find := v.env.Styles, w.m, finderOf(v.needle, v.marks)
	switch {
	case m.Role != "tool":
		w.content()
	case strings.TrimSpace(m.Content) != "" && !w.foldedLine(find, s.Tool.Render("↳ "), m.Content):
		w.content()
	}
	for _, p := range m.Parts {
		if !w.foldedPart(find, p) {
			w.part(p)
		}
	}
}

// foldedPart writes a part in a line for what a tool was told and one for what it answered,
// and reports whether it could.
func (w *messageWriter) foldedPart(find func(string) []search.Span, p lcm.Part) bool {
	p = w.m.WithAnswer(p)
	s := w.env.Styles
	meta, _ := w.meta(p)
	name := s.Tool.Render("[" + ui.LineN(views.FirstNonEmpty(p.ToolName, meta.ToolName, "tool"), 40) + "] ")
	switch {
	case p.Type == "reasoning":
		return w.foldedLine(find, s.Muted.Render("⋯ "), views.FirstNonEmpty(p.Text, "reasoning without text"))
	case p.Type == "text" || p.Type == "file":
		return false
	case p.Type != "tool" && p.Text+p.ToolInput+p.ToolOutput == "":
		w.line(s.Muted.Render("[" + ui.LineN(views.FirstNonEmpty(p.Type, "part"), 40) + "]"))
		return true
	case p.Type != "tool":
		return false
	case p.ToolInput == "" && p.ToolOutput == "" && w.m.Role != "tool":
		w.line(name)
	case p.ToolInput != "" && !w.foldedLine(find, name, lcm.Argument(p.ToolInput)), p.ToolOutput != "" && !w.foldedLine(find, s.Tool.Render("↳ "), lcm.Answer(p.ToolOutput)):
		return false
	}
	if meta.IsError {
		w.line(s.Bad.Render("! the tool reported an error"))
	}
	return true
}

// foldedLine writes the start of a text in one line, with how many lines it has, unless
// only the rest holds what is searched.
func (w *messageWriter) foldedLine(find func(string) []search.Span, sign, text string) bool {
	lines := strings.Count(strings.TrimRight(text, "\n"), "\n") + 1
	end := ""
	if lines > 1 {
		end = w.env.Styles.Faint.Render(" (" + plural.Count(lines, "line", "lines") + ")")
	}
	room := max(4, w.width-ansi.StringWidth(sign)-ansi.StringWidth(end))
	start := ui.LineN(text, room)
	if find != nil && len(find(text)) > 0 && len(find(start)) == 0 {
		return false
	}
	w.line(sign, start, end)
	return true
}

// Legend implements ui.Legender.
func (v *Reading) Legend() []ui.Sign {
	s := v.env.Styles
	return []ui.Sign{
		{Mark: s.Accent.Render("▌"), Meaning: "the message under the cursor"},
		{Mark: s.Tool.Render("[exec]"), Meaning: "a call of this tool"},
		{Mark: s.Tool.Render("↳"), Meaning: "what a tool answered"},
		{Mark: s.Muted.Render("⋯"), Meaning: "reasoning"},
	}
}
