package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// OpenMsg says that the row under the cursor was clicked: the screen does what
// its open key does.
type OpenMsg struct{ ID string }

// List is a list of any length that draws only the rows on screen. Its cursor
// stays on its row, known by id, through reload, filter, sort and resize.
//
// The list of bubbles keeps its cursor by index, binds letters that screens need, and ends
// the program on v.
//
// The first column of every line is the list's own: the cursor's mark, so that
// the cursor shows without colour. Rows, Head and dividers get one cell less.
type List[T any] struct {
	// Head is a line of column titles above the rows; none when empty.
	Head string
	// Empty is shown when there are no rows: why, and what to do.
	Empty string
	// Divider returns a line to be drawn between two rows, or "" for none.
	Divider func(prev, next T) string
	// HiddenID is an id that no row shows, such as a UUID; nil is none. The filter compares
	// it only with what looks like an id (see LooksLikeID), by its beginning.
	HiddenID func(T) string
	// Blurred dims the cursor, for a pane without the focus.
	Blurred bool
	// Keys may be changed before use.
	Keys ListKeys

	styles *Styles
	id     func(T) string
	render func(item T, width int, selected bool) string
	shown  arrangement[T]
	input  *Input // The filter.

	cursor    int    // Index in rows.
	anchor    string // Id of the row the user last went to.
	anchorPos int    // Its place in order.
	offset    int    // First row on screen.
	height    int    // Lines for rows in the last View.
	top       int    // Lines above the rows in the last View.
}

// NewList returns an empty list. Id must be unique among the items; render
// draws one line of an item in width cells; text is what the filter searches,
// and nil is a list without filter.
func NewList[T any](
	styles *Styles,
	id func(T) string,
	render func(item T, width int, selected bool) string,
	text func(T) string,
) *List[T] {
	return &List[T]{
		Keys: DefaultListKeys(), styles: styles, id: id, render: render, shown: arrangement[T]{text: text},
		input: NewInput(styles, "/"), height: 10,
	}
}

// SetItems replaces the items. The cursor stays on its id, or, when that is
// gone, near its place.
func (l *List[T]) SetItems(items []T) {
	l.shown.items, l.shown.foldedTexts = items, nil
	l.arrange()
}

// Items returns all items as set, whatever the filter.
func (l *List[T]) Items() []T { return l.shown.items }

// Rows returns the items that pass the filter, in the present order.
func (l *List[T]) Rows() []T {
	out := make([]T, len(l.shown.rows))
	for i, r := range l.shown.rows {
		out[i] = l.shown.items[r]
	}
	return out
}

// Len returns the number of rows that pass the filter.
func (l *List[T]) Len() int { return len(l.shown.rows) }

// Selected returns the item under the cursor; false when there is no row.
func (l *List[T]) Selected() (item T, ok bool) {
	if l.cursor >= len(l.shown.rows) {
		return item, false
	}
	return l.shown.at(l.cursor), true
}

// Select puts the cursor on the item with this id, and reports whether it is
// among the rows. When it is not there yet, the cursor goes there as soon as
// SetItems brings it.
func (l *List[T]) Select(id string) bool {
	l.anchor = id
	for i, r := range l.shown.rows {
		if l.id(l.shown.items[r]) == id {
			l.goTo(i)
			return true
		}
	}
	return false
}

// Stay has the cursor stay on its row through the next SetItems also where nobody has moved it yet. Without that it
// would rest at the top, on whatever row comes there.
func (l *List[T]) Stay() {
	if l.anchor == "" {
		l.goTo(l.cursor)
	}
}

// Index returns the place of the cursor among the rows.
func (l *List[T]) Index() int { return l.cursor }

// Move moves the cursor by n rows, as far as there are rows.
func (l *List[T]) Move(n int) { l.goTo(l.cursor + n) }

// Visible returns the items that the last View drew, for loading what they
// need and no more.
func (l *List[T]) Visible() []T {
	var out []T
	for _, ln := range l.layout() {
		if ln.row >= 0 {
			out = append(out, l.shown.at(ln.row))
		}
	}
	return out
}

// Update takes keys, pastes and mouse messages counted from the list's own top
// left. A click on the row under the cursor answers with OpenMsg.
func (l *List[T]) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.KeyPressMsg:
		l.key(m)
	case tea.PasteMsg:
		l.filterInput(m)
	case tea.MouseWheelMsg:
		l.wheel(m)
	case tea.MouseClickMsg:
		return l.click(m)
	}
	return nil
}

// Place returns what brings the list back to its present place: order, filter, cursor and
// scroll position. Rows that are gone by then leave the cursor near.
func (l *List[T]) Place() (restore func()) {
	sorted, reversed, needle := l.shown.sorted, l.shown.reversed, l.shown.needle
	anchor, anchorPos, offset := l.anchor, l.anchorPos, l.offset
	return func() {
		l.shown.sorted, l.shown.reversed, l.shown.needle = min(sorted, max(0, len(l.shown.sorts)-1)), reversed, needle
		l.anchor, l.anchorPos = anchor, anchorPos
		l.input.Reset()
		l.arrange()
		l.offset = offset
	}
}

// SetSorts gives the list its orders and sorts by the first.
func (l *List[T]) SetSorts(sorts ...Sort[T]) {
	l.shown.sorts, l.shown.sorted, l.shown.reversed = sorts, 0, false
	l.arrange()
}

// SortName returns the name of the present order, "" without orders.
func (l *List[T]) SortName() string {
	if len(l.shown.sorts) == 0 {
		return ""
	}
	return l.shown.sorts[l.shown.sorted].Name
}

// SortLabel works as SortName, and whether the order is reversed.
func (l *List[T]) SortLabel() string {
	if l.shown.reversed {
		return l.SortName() + ", reversed"
	}
	return l.SortName()
}

// Position returns where the cursor is among the rows: "12 of 4,147". Without rows it is empty.
func (l *List[T]) Position() string {
	if len(l.shown.rows) == 0 {
		return ""
	}
	return Num(int64(l.cursor+1)) + " of " + Num(int64(len(l.shown.rows)))
}

// arrange sorts and filters the items, and puts the cursor on its row again.
func (l *List[T]) arrange() {
	l.shown.sort()
	for pos, i := range l.shown.order {
		if l.id(l.shown.items[i]) == l.anchor {
			l.anchorPos = pos
		}
	}
	l.filter()
}

// filter filters the items, and puts the cursor on the anchor or, if the
// filter hides it, on the next row after it.
func (l *List[T]) filter() {
	l.shown.filter(l.HiddenID)
	found := slices.IndexFunc(l.shown.rows, func(i int) bool { return l.shown.positions[i] >= l.anchorPos })
	if found < 0 {
		found = len(l.shown.rows) - 1
	}
	l.cursor = max(0, found)
}

// goTo puts the cursor on row i and remembers its id.
func (l *List[T]) goTo(i int) {
	l.cursor = max(0, min(i, len(l.shown.rows)-1))
	it, ok := l.Selected()
	if !ok {
		return
	}
	l.anchor = l.id(it)
	l.anchorPos = l.shown.positions[l.shown.rows[l.cursor]]
}
