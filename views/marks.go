package views

import (
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

// marks are conversations that the user marked, to prune or archive them together. The screens share them.
type marks map[int64]bool

// markSign stands before a marked row.
const markSign = "✓"

// noneMarked is why what is about marked conversations is off.
const noneMarked = "no conversation is marked: space marks one"

var keyUnmark = ui.Act("U", "U", "unmark all")

// toggle marks a conversation, or takes the mark away.
func (m marks) toggle(id int64) {
	if m[id] {
		delete(m, id)
	} else {
		m[id] = true
	}
}

// ids are the marked conversations in the order of their ids.
func (m marks) ids() []int64 { return slices.Sorted(maps.Keys(m)) }

// markAction marks the conversation of the row under the cursor and goes on to the next row; 0 is
// a row of no conversation.
func (e *Env) markAction(conversation int64, next func()) Action {
	return Action{keyMark.In("Change").InFooter().Off(conversation != 0, "the row is of no single conversation"), func() tea.Cmd {
		e.marks.toggle(conversation)
		next()
		return nil
	}}
}
