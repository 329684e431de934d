package ui

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Pager is scrolling text, wrapped at words: a detail pane or a whole page. The
// text is wrapped once per width; drawing costs only the lines on screen. The viewport of
// bubbles wraps inside words, forgets its matches when the text changes, and binds letters
// that screens need.
type Pager struct {
	// Keys may be changed before use.
	Keys PagerKeys

	styles *Styles
	text   string
	lines  []string // Wrapped for width.
	source []int    // The line of text that each came from.
	width  int
	height int
	offset int

	input  *Input
	needle string
	match  int    // The line of the match that was gone to last.
	note   string // What a search found.
}

// NewPager returns an empty pager with DefaultPagerKeys.
func NewPager(styles *Styles) *Pager {
	return &Pager{Keys: DefaultPagerKeys(), styles: styles, input: NewInput(styles, "/"), height: 10}
}

// SetText sets what is shown, which may be styled but must be safe to print otherwise
// (see Sanitize). The place is kept as far as the text reaches.
func (p *Pager) SetText(styled string) {
	if styled == p.text {
		return
	}
	p.text, p.lines = styled, nil
	if p.width > 0 {
		p.wrap(p.width)
		p.clamp()
	}
}

// Show works as SetText for another thing: it begins at the top, without a search.
func (p *Pager) Show(styled string) {
	p.offset, p.match, p.needle, p.note = 0, 0, "", ""
	p.SetText(styled)
}

// Len returns the number of lines as wrapped by the last View.
func (p *Pager) Len() int {
	if p.lines == nil && p.text != "" {
		return 1 + strings.Count(p.text, "\n")
	}
	return len(p.lines)
}

// Offset returns the first line on screen.
func (p *Pager) Offset() int { return p.offset }

// SetOffset puts line n at the top of the screen, as far as there is text.
func (p *Pager) SetOffset(n int) {
	p.offset = n
	p.clamp()
}

// Scroll moves by n lines, as far as there is text.
func (p *Pager) Scroll(n int) {
	p.offset += n
	p.clamp()
}

// GoTo scrolls to the n-th line of the text as it was set, counted from 0.
func (p *Pager) GoTo(n int) {
	p.offset = p.firstOf(n)
	p.clamp()
}

// Percent returns how far the end of the screen is into the text, 0 to 100.
func (p *Pager) Percent() int {
	if len(p.lines) <= p.height {
		return 100
	}
	return 100 * (p.offset + p.height) / len(p.lines)
}

// Position returns how far the screen is into the text: "line 40 of 210". It is empty for a text
// that fits.
func (p *Pager) Position() string {
	if len(p.lines) <= p.height {
		return ""
	}
	return "line " + Num(int64(min(len(p.lines), p.offset+p.height))) + " of " + Num(int64(len(p.lines)))
}

// Update takes keys, pastes and the wheel.
func (p *Pager) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.KeyPressMsg:
		if p.Typing() {
			p.searchInput(m)
		} else {
			p.key(m)
		}
	case tea.PasteMsg:
		p.searchInput(m)
	case tea.MouseWheelMsg:
		switch m.Button {
		case tea.MouseWheelUp:
			p.Scroll(-wheelRows)
		case tea.MouseWheelDown:
			p.Scroll(wheelRows)
		}
	}
	return nil
}

func (p *Pager) key(m tea.KeyPressMsg) {
	page := max(1, p.height-1)
	switch k := p.Keys; {
	case key.Matches(m, k.Up):
		p.Scroll(-1)
	case key.Matches(m, k.Down):
		p.Scroll(1)
	case key.Matches(m, k.PageUp):
		p.Scroll(-page)
	case key.Matches(m, k.PageDown):
		p.Scroll(page)
	case key.Matches(m, k.HalfUp):
		p.Scroll(-max(1, p.height/2))
	case key.Matches(m, k.HalfDown):
		p.Scroll(max(1, p.height/2))
	case key.Matches(m, k.Top):
		p.Scroll(-p.Len())
	case key.Matches(m, k.Bottom):
		p.Scroll(p.Len())
	case key.Matches(m, k.Search):
		p.input.Open("")
	case key.Matches(m, k.Next):
		p.findNext()
	case key.Matches(m, k.Prev):
		p.findPrevious()
	}
}

// View draws the text in width times height cells; while searching, and when a
// search found nothing, the last line says so.
func (p *Pager) View(width, height int) string {
	foot := p.foot(width)
	p.height = max(1, height)
	if foot != "" {
		p.height = max(1, height-1)
	}
	if p.lines == nil || width != p.width {
		p.wrap(width)
	}
	p.clamp()
	shown := make([]string, 0, p.height)
	for _, l := range p.lines[p.offset:min(len(p.lines), p.offset+p.height)] {
		shown = append(shown, UnderlineMatches(l, p.needle))
	}
	if foot == "" {
		return Fit(strings.Join(shown, "\n"), width, height)
	}
	return Fit(Fit(strings.Join(shown, "\n"), width, p.height)+"\n"+foot, width, height)
}

func (p *Pager) foot(width int) string {
	if p.Typing() {
		return p.input.View(width)
	}
	if p.note == "" {
		return ""
	}
	return p.styles.Muted.Render(Cut(p.note, width))
}

// clamp keeps the offset where there is text, so that scrolling past an end
// does not have to be scrolled back.
func (p *Pager) clamp() {
	p.offset = max(0, min(p.offset, p.Len()-p.height))
}

// wrap breaks the text for width and keeps the line at the top.
func (p *Pager) wrap(width int) {
	at := 0
	if p.offset < len(p.source) {
		at = p.source[p.offset]
	}
	moved := p.width != width && p.source != nil
	p.width, p.lines, p.source = width, []string{}, p.source[:0]
	for i, l := range strings.Split(selfContained(p.text), "\n") {
		for _, w := range wrapLine(l, max(1, width)) {
			p.lines, p.source = append(p.lines, w), append(p.source, i)
		}
	}
	if moved {
		p.offset = p.firstOf(at)
	}
}

func (p *Pager) firstOf(source int) int {
	for i, s := range p.source {
		if s >= source {
			return i
		}
	}
	return len(p.source)
}

// selfContained closes the styles at each end of line and opens them again, so
// that lines can be drawn one by one.
func selfContained(s string) string {
	if !strings.Contains(s, "\x1b") {
		return s
	}
	var b strings.Builder
	w := lipgloss.NewWrapWriter(&b)
	fmt.Fprint(w, s)
	_ = w.Close()
	return b.String()
}

func wrapLine(l string, width int) []string {
	if len(l) <= width { // No more cells than bytes.
		return []string{l}
	}
	wrap := ansi.Wrap
	if strings.Contains(l, "\x1b") {
		wrap = lipgloss.Wrap
	}
	var lines []string
	for w := range strings.SplitSeq(wrap(l, width, ""), "\n") {
		if len(w) > width && ansi.StringWidth(w) > width { // A blank and a word that fills the line.
			w = selfContained(ansi.Hardwrap(w, width, true))
		}
		lines = append(lines, strings.Split(w, "\n")...)
	}
	return lines
}

// WrapLines returns a styled text as lines of at most width cells. No style reaches beyond
// the end of its line.
func WrapLines(styled string, width int) (out []string) {
	for l := range strings.SplitSeq(selfContained(styled), "\n") {
		out = append(out, wrapLine(l, max(1, width))...)
	}
	return out
}
