package review

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/regenerate"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// textPage shows the new texts of a plan one by one, and takes what the user decides on each.
type textPage struct {
	*scrollPage
	proposal *proposal
	planner  *planner

	selected string // The id of the text that is on the page; empty is the first.
	toEnd    bool   // Its end is to be shown.
	heading  string // Above its columns, as drawn last.
	had      candidates
	list     textList
	diff     textDiff
}

func newTextPage(pl *planner, view *reviewView) *textPage {
	pr := pl.proposal
	v := &textPage{proposal: pr, planner: pl, list: textList{styles: pr.env.Styles}, had: newCandidates()}
	v.had.add(pr.op, &pr.plan)
	v.diff = textDiff{env: pr.env, owner: pr.owner, view: view, sources: map[string]string{}}
	v.scrollPage = newScrollPage(pr.env.Styles, v.text)
	return v
}

// load does the work that the text on the screen needs beside the loop.
func (v *textPage) load() tea.Cmd {
	heads := v.proposal.heads.read(v.proposal)
	e, ok := v.current()
	if !ok || e.text == nil || e.text.Made {
		return heads
	}
	return tea.Batch(heads, v.diff.compare(*e.text), v.diff.readSource(e.id, newTexts(v.proposal.plan)))
}

// receive takes the results of those jobs.
func (v *textPage) receive(msg tea.Msg) {
	switch msg := msg.(type) {
	case comparedMsg:
		v.diff.compared = msg
	case headsMsg:
		v.proposal.heads.add(msg)
	case sourceMsg:
		v.diff.sources[msg.id] = msg.text
	}
	v.redraw()
}

// sourceFailed says that what the text is made from could not be read.
func (v *textPage) sourceFailed() {
	if e, ok := v.current(); ok {
		v.receive(sourceMsg{e.id, "what it is made from could not be read"})
	}
}

// update takes keys, pastes and the mouse.
func (v *textPage) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		if n, ok := v.list.clicked(msg.Mouse(), len(v.proposal.entries())); ok {
			v.selectText(n, false)
		}
		return nil
	case tea.MouseWheelMsg:
		return v.wheelText(msg)
	case tea.KeyPressMsg:
		if !v.Typing() {
			return v.scrollText(msg)
		}
	}
	return v.pager.Update(msg)
}

// draw returns the page: the list of texts beside the text, in its place while texts are made and
// there is no room for both, or above the reason why the selected text isn't there.
func (v *textPage) draw(width, height int) string {
	entries, busy := v.proposal.entries(), v.proposal.generatingNow()
	v.list.width = 0
	e, there := v.current()
	switch {
	case !there || len(entries) == 1 && !busy:
		return v.body(width, height)
	case busy && (len(v.proposal.plan.Texts) == 0 || width < sideList):
		return v.drawList(entries, width, height)
	case width < sideList && e.text != nil:
		return v.body(width, height)
	case width < sideList:
		rows := max(1, min(len(entries)+1, height/2))
		return ui.Fit(v.drawList(entries, width, rows), width, rows) + "\n" + v.body(width, max(1, height-rows))
	}
	left := textListWidth(width)
	list := strings.Split(v.drawList(entries, left, height), "\n")
	text := strings.Split(v.body(width-left-3, height), "\n")
	for i := range text {
		text[i] = ui.Pad(views.LineAt(list, i), left) + v.proposal.env.Styles.Faint.Render(" │ ") + text[i]
	}
	return strings.Join(text, "\n")
}

// drawList returns the list around the selected text, or while texts are made around the first that
// is asked for.
func (v *textPage) drawList(entries []textEntry, width, height int) string {
	current := v.selectedIndex(entries)
	if v.proposal.generatingNow() {
		current = slices.IndexFunc(entries, func(e textEntry) bool { return e.state == regenerate.StateAsking })
	}
	return v.list.draw(entries, current, width, height)
}

// body returns the text in as much room. What it's about stands above what scrolls.
func (v *textPage) body(width, height int) string {
	v.fill(width)
	head := v.textHead()
	if head != "" {
		head, height = ui.Cut(head, width)+"\n"+ui.Cut(v.heading, width)+"\n", max(1, height-2)
	}
	if v.toEnd {
		v.toEnd = false
		_ = v.pager.View(width, height) // Which wraps it.
		v.pager.Scroll(v.pager.Len())
	}
	return head + v.pager.View(width, height)
}

// selectedIndex returns the place of the selected text among the entries. It is the one that is on
// the screen. Where nothing was selected, it's the first with a text.
func (v *textPage) selectedIndex(entries []textEntry) int {
	i := slices.IndexFunc(entries, func(e textEntry) bool { return e.id == v.selected })
	if i < 0 {
		i = slices.IndexFunc(entries, func(e textEntry) bool { return e.text != nil })
	}
	return max(0, i)
}

// current returns the selected text.
func (v *textPage) current() (textEntry, bool) {
	entries := v.proposal.entries()
	if len(entries) == 0 {
		return textEntry{}, false
	}
	return entries[v.selectedIndex(entries)], true
}

// selectText selects the n-th text, as far as there are texts, and shows its beginning or
// its end.
func (v *textPage) selectText(n int, end bool) {
	entries := v.proposal.entries()
	if len(entries) == 0 {
		return
	}
	v.selected = entries[min(max(0, n), len(entries)-1)].id
	v.toEnd = end
	v.redraw()
	v.pager.Show("")
}

// moveText selects the text so many places further, around the ends.
func (v *textPage) moveText(by int) tea.Cmd {
	entries := v.proposal.entries()
	if n := len(entries); n > 0 {
		v.selectText((v.selectedIndex(entries)+by+n)%n, false)
	}
	return nil
}

// scrollText moves through the page of texts. Beyond the end of a text the next one
// begins, and so does the selection; the first and the last are reached by Home and End.
func (v *textPage) scrollText(msg tea.KeyPressMsg) tea.Cmd {
	p := v.pager
	entries := v.proposal.entries()
	at, last := v.selectedIndex(entries), len(entries)-1
	down, up := key.Matches(msg, p.Keys.Down, p.Keys.PageDown), key.Matches(msg, p.Keys.Up, p.Keys.PageUp)
	switch {
	case key.Matches(msg, p.Keys.Top):
		v.selectText(0, false)
	case key.Matches(msg, p.Keys.Bottom):
		v.selectText(last, true)
	default:
		was := p.Offset()
		cmd := p.Update(msg)
		v.goToNeighbour(p.Offset() == was && down && at < last, p.Offset() == was && up && at > 0, at)
		return cmd
	}
	return nil
}

// goToNeighbour goes on to the next text, or back to the end of the one before.
func (v *textPage) goToNeighbour(next, before bool, at int) {
	switch {
	case next:
		v.selectText(at+1, false)
	case before:
		v.selectText(at-1, true)
	}
}

// wheelText scrolls the text under the wheel, or moves through the list beside it.
func (v *textPage) wheelText(msg tea.MouseWheelMsg) tea.Cmd {
	entries := v.proposal.entries()
	at, last := v.selectedIndex(entries), len(entries)-1
	down, up := msg.Button == tea.MouseWheelDown, msg.Button == tea.MouseWheelUp
	if v.list.has(msg.Mouse()) {
		v.goToNeighbour(down && at < last, false, at)
		if up && at > 0 {
			v.selectText(at-1, false)
		}
		return nil
	}
	p := v.pager
	was := p.Offset()
	cmd := p.Update(msg)
	v.goToNeighbour(p.Offset() == was && down && at < last, p.Offset() == was && up && at > 0, at)
	return cmd
}

// textHead returns which text is on the screen, or empty where there is none. It doesn't
// scroll.
func (v *textPage) textHead() string {
	entries := v.proposal.entries()
	if len(entries) == 0 {
		return ""
	}
	s, i := v.proposal.env.Styles, v.selectedIndex(entries)
	head := s.Accent.Render("▸ ") + s.Title.Render(ui.Line(entries[i].id)) + s.Muted.Render(fmt.Sprintf("  %d of %d", i+1, len(entries)))
	if state := entries[i].state; state != "" {
		head += "  " + stateWord(s, regenerate.Item{State: state})
	}
	if t := entries[i].text; t != nil {
		head += s.Accent.Render(candidateText(v.had.indexOf(t.ID, t.After), len(v.had.texts[t.ID])))
	}
	return head
}

// text returns the selected text: what differs, or why nothing does.
func (v *textPage) text(width int) string {
	e, ok := v.current()
	v.heading = ""
	switch {
	case !ok:
		return v.proposal.env.Styles.Muted.Render(v.noTexts())
	case e.text == nil && e.state == regenerate.StateReady && v.proposal.plan.Estimate():
		return v.unshown()
	case e.text == nil:
		return ui.Line(e.reason())
	}
	v.heading = v.diff.heading(*e.text, width)
	return v.diff.draw(*e.text, width)
}

// unshown says where a text is that was made in a run which isn't complete.
func (v *textPage) unshown() string {
	switch stopped := v.proposal.stoppedBy; {
	case stopped == nil:
		return "it is made; the texts are shown when the run is complete"
	case !stopped.Cached:
		return "it was made, and is lost: answers of this model aren't cached"
	}
	return "it was made, and its answer is cached: ctrl+x goes on, and shows it at the end"
}

// noTexts says why there are no texts on the page.
func (v *textPage) noTexts() string {
	switch {
	case v.proposal.runnable() && v.proposal.plan.Estimate():
		return "a model would write texts: none is written yet, and none was asked for. ctrl+x asks it"
	case v.proposal.runnable():
		return "a model would write more texts: none is written yet, and none was asked for. ctrl+x asks it"
	}
	return "no text changes: only the rows on the third page do"
}

// reason says why an entry has no new text.
func (e textEntry) reason() string {
	switch e.state {
	case regenerate.StateSkipped:
		return "it keeps its text, as you said; s has it made nevertheless"
	case regenerate.StateFailed:
		return "it keeps its text, since no new one was made: " + e.why
	case regenerate.StateCancelled:
		return "it was being asked for when the run ended; it keeps its text"
	case regenerate.StateNotAsked:
		return "the run ended before it was asked for; it keeps its text"
	case regenerate.StateWaiting, regenerate.StateAsking:
		return "it isn't made yet"
	}
	return "its new text is the old one: nothing changes"
}

// actions returns the keys that go from text to text, or from change to change of the only one.
func (v *textPage) actions() []views.Action {
	if len(v.proposal.entries()) > 1 {
		return v.moves(keyNextText, keyPreviousText, v.moveText)
	}
	return v.scrollPage.actions()
}

// show goes to the text of an id.
func (v *textPage) show(id string) {
	v.selected = id
	v.redraw()
}
