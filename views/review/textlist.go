package review

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"lcm-tui/engine/regenerate"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// textListWidth returns the width of the list of texts on a page of width cells, where there is room beside them.
func textListWidth(width int) int { return min(70, max(44, width*2/5)) }

// sideList is the width from which the list stands beside the text.
const sideList = 100

// textList is the list beside a text, with how far each one is.
type textList struct {
	styles *ui.Styles
	// As drawn last: its size, of which the width is 0 where there is none, and its first text on
	// the screen.
	width, height, first int
}

// has reports whether a place of the page is on the list.
func (l *textList) has(m tea.Mouse) bool {
	return l.width > 0 && m.X < l.width && m.Y >= 0 && m.Y < l.height
}

// clicked returns the text at a place of the page; ok is false where there is none.
func (l *textList) clicked(m tea.Mouse, texts int) (n int, ok bool) {
	n = l.first + m.Y - 1
	return n, l.has(m) && m.Y > 0 && n < texts
}

// draw returns as much of the list as there is room for, around the current text.
func (l *textList) draw(entries []textEntry, current, width, height int) string {
	l.width, l.height = width, height
	l.first = min(max(0, current-(height-1)/2), max(0, len(entries)-height+1))
	lines := []string{ui.Cut(" "+l.styles.Muted.Render(textCounts(entries)), width)}
	for i, e := range entries[l.first:min(len(entries), l.first+height-1)] {
		lines = append(lines, ui.Cut(entryLine(l.styles, e, l.first+i == current, width), width))
	}
	return strings.Join(lines, "\n")
}

// The widths of a row from which it says in words how far the text is, and from which it has the whole id.
const (
	stateWordFrom = 60
	wholeIDFrom   = 100
)

// entryLine returns one text: how far it is, from when it tells, its id, and how it begins or why it failed.
func entryLine(s *ui.Styles, e textEntry, current bool, width int) string {
	line, idWidth := "  ", 9
	if current {
		line = s.Accent.Render("▸ ")
	}
	switch {
	case e.state == "":
	case width < stateWordFrom:
		line += stateSign(s, e.state) + " "
	default:
		line += ui.Pad(stateWord(s, regenerate.Item{State: e.state}), 9)
	}
	if width >= wholeIDFrom {
		idWidth = 20
	}
	day := ""
	if e.head.At.Valid() {
		day = e.local(e.head.At.Time).Format("Jan _2")
	}
	line += s.Muted.Render(ui.Pad(day, 6)) + " " + ui.Pad(views.ShortID(e.id, idWidth), idWidth) + " "
	room := max(0, width-lipgloss.Width(line))
	if e.state == regenerate.StateFailed && e.why != "" {
		return line + s.Bad.Render(ui.LineN(shortReason(e.why), room))
	}
	return line + views.Opening(e.head.Opening, room)
}

// shortReason returns why a text failed without what all such reasons begin with.
func shortReason(why string) string {
	if rest, found := strings.CutPrefix(why, "ask "); found {
		_, why, _ = strings.Cut(rest, ": ")
	}
	why = strings.TrimPrefix(why, "the command failed: ")
	if _, reason, found := strings.Cut(why, ": "); found && strings.HasPrefix(why, "exit status ") {
		return reason
	}
	return why
}

// stateSign returns how far a text is, in one cell.
func stateSign(s *ui.Styles, state regenerate.State) string {
	switch state {
	case regenerate.StateReady:
		return s.Good.Render("✓")
	case regenerate.StateFailed, regenerate.StateCancelled:
		return s.Bad.Render("!")
	case regenerate.StateAsking:
		return s.Accent.Render("…")
	case regenerate.StateSkipped:
		return s.Muted.Render("–")
	}
	return s.Muted.Render("·")
}

// stateWord returns how far a text is, and why it failed.
func stateWord(s *ui.Styles, item regenerate.Item) string {
	switch item.State {
	case regenerate.StateReady:
		return s.Good.Render(string(item.State))
	case regenerate.StateFailed:
		if item.Why == "" {
			return s.Bad.Render("! failed")
		}
		return s.Bad.Render("! failed: " + ui.Line(item.Why))
	case regenerate.StateAsking:
		return s.Accent.Render(string(item.State))
	}
	return s.Muted.Render(string(item.State))
}

// textCounts returns how many texts there are of each state.
func textCounts(entries []textEntry) string {
	count := map[regenerate.State]int{}
	for _, e := range entries {
		count[e.state]++
	}
	var words []string
	for _, state := range []regenerate.State{
		regenerate.StateReady, regenerate.StateAsking, regenerate.StateWaiting, regenerate.StateSkipped, regenerate.StateFailed, regenerate.StateCancelled, regenerate.StateNotAsked,
	} {
		if n := count[state]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, state))
		}
	}
	if len(words) == 0 {
		return plural.Count(len(entries), "text", "texts")
	}
	return strings.Join(words, " · ")
}
