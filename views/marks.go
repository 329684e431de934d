package views

import (
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"
)

// marks are conversations that the user marked, to prune or archive them together. The screens share them.
type marks map[int64]bool

// MarkSign stands before a marked row.
const MarkSign = "✓"

// NoneMarked is why what is about marked conversations is off.
const NoneMarked = "no conversation is marked: space marks one"

// toggle marks a conversation, or takes the mark away.
func (m marks) toggle(id int64) {
	if m[id] {
		delete(m, id)
	} else {
		m[id] = true
	}
}

// IDs returns the marked conversations in the order of their ids.
func (m marks) IDs() []int64 { return slices.Sorted(maps.Keys(m)) }

// MarkAction marks the conversation of the row under the cursor and goes on to the next row; 0 is
// a row of no conversation.
func (e *Env) MarkAction(conversation int64, next func()) Action {
	return Action{KeyMark.In("Change").InFooter().Off(conversation != 0, "the row is of no single conversation"), func() tea.Cmd {
		e.Marks.toggle(conversation)
		next()
		return nil
	}}
}
