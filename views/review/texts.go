package review

import (
	"fmt"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/regenerate"
	"lcm-tui/ops"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// itemized is an operation that tells how far each of its texts is.
type itemized interface {
	ops.Op
	// WithProgress is the operation that takes it down in items.
	WithProgress(items *regenerate.Progress) ops.Op
}

// textEntry is a text of the page of texts: one that changes, or one that was skipped,
// failed, or isn't there yet.
type textEntry struct {
	id    string
	text  *ops.Text // Nil where there is no new text.
	state regenerate.State
	why   string // Of a failure.
}

// entries returns the texts in their order: those of the run, then others of the plan.
func (r *Review) entries() (out []textEntry) {
	texts := map[string]*ops.Text{}
	for i := range r.plan.Texts {
		texts[r.plan.Texts[i].ID] = &r.plan.Texts[i]
	}
	for _, item := range r.items.All() {
		out = append(out, textEntry{item.ID, texts[item.ID], item.State, item.Why})
		delete(texts, item.ID)
	}
	for i, t := range r.plan.Texts {
		if texts[t.ID] != nil {
			out = append(out, textEntry{id: t.ID, text: &r.plan.Texts[i]})
		}
	}
	return out
}

// selectedIndex returns the place of the selected text among the entries. It is the one that is on
// the screen. Where nothing was selected, it's the first with a text.
func (r *Review) selectedIndex(entries []textEntry) int {
	i := slices.IndexFunc(entries, func(e textEntry) bool { return e.id == r.selected })
	if i < 0 {
		i = slices.IndexFunc(entries, func(e textEntry) bool { return e.text != nil })
	}
	return max(0, i)
}

// current returns the selected text.
func (r *Review) current() (textEntry, bool) {
	entries := r.entries()
	if len(entries) == 0 {
		return textEntry{}, false
	}
	return entries[r.selectedIndex(entries)], true
}

// selectText selects the n-th text, as far as there are texts, and shows its beginning or
// its end.
func (r *Review) selectText(n int, end bool) {
	entries := r.entries()
	if len(entries) == 0 {
		return
	}
	r.selected = entries[min(max(0, n), len(entries)-1)].id
	r.drawn[pageText], r.toEnd = 0, end
	r.pages[pageText].Show("")
}

// moveText selects the text so many places further, around the ends.
func (r *Review) moveText(by int) tea.Cmd {
	entries := r.entries()
	if n := len(entries); n > 0 {
		r.selectText((r.selectedIndex(entries)+by+n)%n, false)
	}
	return nil
}

// scrollText moves through the page of texts. Beyond the end of a text the next one
// begins, and so does the selection; the first and the last are reached by Home and End.
func (r *Review) scrollText(msg tea.KeyPressMsg) tea.Cmd {
	p := r.pager()
	entries := r.entries()
	at, last := r.selectedIndex(entries), len(entries)-1
	down, up := key.Matches(msg, p.Keys.Down, p.Keys.PageDown), key.Matches(msg, p.Keys.Up, p.Keys.PageUp)
	switch {
	case key.Matches(msg, p.Keys.Top):
		r.selectText(0, false)
	case key.Matches(msg, p.Keys.Bottom):
		r.selectText(last, true)
	default:
		was := p.Offset()
		cmd := p.Update(msg)
		r.goToNeighbour(p.Offset() == was && down && at < last, p.Offset() == was && up && at > 0, at)
		return cmd
	}
	return nil
}

// goToNeighbour goes on to the next text, or back to the end of the one before.
func (r *Review) goToNeighbour(next, before bool, at int) {
	switch {
	case next:
		r.selectText(at+1, false)
	case before:
		r.selectText(at-1, true)
	}
}

// wheelText scrolls the text under the wheel, or moves through the list beside it.
func (r *Review) wheelText(msg tea.MouseWheelMsg) tea.Cmd {
	entries := r.entries()
	at, last := r.selectedIndex(entries), len(entries)-1
	down, up := msg.Button == tea.MouseWheelDown, msg.Button == tea.MouseWheelUp
	if r.onList(msg.Mouse()) {
		r.goToNeighbour(down && at < last, false, at)
		if up && at > 0 {
			r.selectText(at-1, false)
		}
		return nil
	}
	p := r.pager()
	was := p.Offset()
	cmd := p.Update(msg)
	r.goToNeighbour(p.Offset() == was && down && at < last, p.Offset() == was && up && at > 0, at)
	return cmd
}

// reviewTop is how many lines stand above the page.
const reviewTop = 4

// onList reports whether a place is on the list of texts.
func (r *Review) onList(m tea.Mouse) bool {
	return r.page == pageText && r.listWidth > 0 && m.X < r.listWidth && m.Y >= reviewTop && m.Y < reviewTop+r.listHeight
}

// click selects the text of the list that is under it.
func (r *Review) click(m tea.Mouse) {
	if n := r.listFirst + m.Y - reviewTop - 1; r.onList(m) && m.Y > reviewTop && n < len(r.entries()) {
		r.selectText(n, false)
	}
}

// textHead returns which text is on the screen, or empty where there is none. It doesn't
// scroll.
func (r *Review) textHead() string {
	entries := r.entries()
	if r.page != pageText || len(entries) == 0 {
		return ""
	}
	s, i := r.env.Styles, r.selectedIndex(entries)
	head := s.Accent.Render("▸ ") + s.Title.Render(ui.Line(entries[i].id)) + s.Muted.Render(fmt.Sprintf("  %d of %d", i+1, len(entries)))
	if state := entries[i].state; state != "" {
		head += "  " + r.stateWord(regenerate.Item{State: state})
	}
	return head
}

// textPage returns the selected text: what differs, or why nothing does.
func (r *Review) textPage(width int) string {
	e, ok := r.current()
	r.heading = ""
	switch {
	case !ok:
		return r.env.Styles.Muted.Render(r.noTexts())
	case e.text == nil:
		return ui.Line(e.reason())
	}
	return r.textDiff(*e.text, width)
}

// noTexts says why there are no texts on the page.
func (r *Review) noTexts() string {
	switch {
	case r.runnable() && r.plan.Estimate():
		return "a model would write texts: none is written yet, and none was asked for. x asks it"
	case r.runnable():
		return "a model would write more texts: none is written yet, and none was asked for. x asks it"
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

// textDiff returns what changes in a text, in the present view.
func (r *Review) textDiff(t ops.Text, width int) string {
	s := r.env.Styles
	wide := width >= twoColumns
	r.heading = r.textHeading(t, width)
	if t.Made { // There is no older version to compare with.
		return views.BesideSource(t.Before, t.After, wide && r.view != viewUnified, width, s)
	}
	if r.view == viewSource {
		source, known := r.sources[t.ID]
		if !known {
			source = "reading what it is made from …"
		}
		return views.BesideSource(source, t.After, wide, width, s)
	}
	wide = wide && r.view == viewSides
	pieces, ok := r.pieces(t)
	switch {
	case !ok:
		return s.Muted.Render("comparing " + ui.Size(int64(len(t.Before)+len(t.After))) + " of text…")
	case wide:
		return views.SideBySide(views.DiffRows(pieces, s), width, s)
	}
	return views.Unified(views.DiffRows(pieces, s), width, s)
}

// edit opens the editor on the selected text: the new one, or the stored one where no new
// one was made.
func (r *Review) edit() tea.Cmd {
	e, _ := r.current()
	if e.text == nil {
		return r.env.ReadText(r, e.id)
	}
	return r.env.Edit(e.id, e.text.Before, e.text.After)
}

// edited plans again with a text that came back from the editor.
func (r *Review) edited(m views.EditedMsg) tea.Cmd {
	if say, unchanged := m.Unchanged(); unchanged {
		return say
	}
	r.env.KeepHandText(m.ID, m.Stored, m.Text)
	return r.propose("write "+ui.Line(m.ID)+" by hand and rewrite what is made from it", r.op.(ops.Chooser).With(m.ID, m.Text))
}
