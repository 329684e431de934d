package review

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"lcm-tui/engine/regenerate"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// textListWidth is the width of the list of texts, where there is room beside them.
const textListWidth = 38

// sideList is the width from which the list stands beside the text.
const sideList = 100

// generatingNow reports whether texts are being made right now.
func (r *Review) generatingNow() bool {
	return r.op != nil && r.env.Jobs.Running(r, "plan "+r.op.Name())
}

// withTextList puts the list of texts beside the page, in its place while texts are made and
// there is no room for both, or above the reason why the selected text isn't there.
func (r *Review) withTextList(width, height int, page func(width, height int) string) string {
	r.listWidth, r.listHeight = 0, height
	entries := r.entries()
	e, there := r.current()
	switch {
	case r.page != pageText || !there || len(entries) == 1 && !r.generatingNow():
		return page(width, height)
	case r.generatingNow() && (len(r.plan.Texts) == 0 || width < sideList):
		r.listWidth = width
		return r.textList(entries, width, height)
	case width < sideList && e.text != nil:
		return page(width, height)
	case width < sideList:
		r.listWidth, r.listHeight = width, max(1, min(len(entries)+1, height/2))
		list := ui.Fit(r.textList(entries, width, r.listHeight), width, r.listHeight)
		return list + "\n" + page(width, max(1, height-r.listHeight))
	}
	r.listWidth = textListWidth
	list := strings.Split(r.textList(entries, textListWidth, height), "\n")
	text := strings.Split(page(width-textListWidth-3, height), "\n")
	for i := range text {
		text[i] = ui.Pad(views.LineAt(list, i), textListWidth) + r.env.Styles.Faint.Render(" │ ") + text[i]
	}
	return strings.Join(text, "\n")
}

// textList returns as much of the list as there is room for, around the selected text, or
// while texts are made around the first that is asked for.
func (r *Review) textList(entries []textEntry, width, height int) string {
	current := r.selectedIndex(entries)
	if r.generatingNow() {
		current = slices.IndexFunc(entries, func(e textEntry) bool { return e.state == regenerate.StateAsking })
	}
	r.listFirst = min(max(0, current-(height-1)/2), max(0, len(entries)-height+1))
	lines := []string{ui.Cut(" "+r.env.Styles.Muted.Render(textCounts(entries)), width)}
	for i, e := range entries[r.listFirst:min(len(entries), r.listFirst+height-1)] {
		lines = append(lines, ui.Cut(r.entryLine(e, r.listFirst+i == current, width), width))
	}
	return strings.Join(lines, "\n")
}

// entryLine returns one text and how far it is.
func (r *Review) entryLine(e textEntry, current bool, width int) string {
	mark := "  "
	if current {
		mark = r.env.Styles.Accent.Render("▸ ")
	}
	id := ui.Line(e.id)
	if width < 80 {
		id = ui.CutMiddle(id, 17)
	}
	return mark + ui.Pad(id, min(22, lipgloss.Width(id))) + " " + r.stateWord(regenerate.Item{State: e.state, Why: e.why})
}

// stateWord returns how far a text is, and why it failed.
func (r *Review) stateWord(item regenerate.Item) string {
	s := r.env.Styles
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
