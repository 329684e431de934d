package views

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

// beside is the text of a list's row: beside the list where there is room, else
// as a page over it.
type beside struct {
	styles *ui.Styles
	pager  *ui.Pager
	on     bool    // The text has the focus.
	share  float64 // The list's share of the width.

	drawn  drawn
	top    int // Lines above list and text in the last View.
	width  int // Of the last View.
	height int // What it left to list and text.
}

// drawn is what the text on screen was made of.
type drawn struct {
	id, state any // Comparable.
	width     int
	dark      bool
}

func newBeside(styles *ui.Styles, share float64) beside {
	return beside{styles: styles, pager: ui.NewPager(styles), share: share}
}

var (
	keyRead     = ui.Act("enter", "⏎", "read")
	keyOther    = ui.Act("tab", "tab", "other pane")
	keyBackList = ui.Act("esc", "esc", "back to the list")
)

// keys gives the pager the keys of the present focus.
func (b *beside) keys() ui.PagerKeys {
	b.pager.Keys = ui.DetailKeys()
	if b.on {
		k := ui.DefaultPagerKeys()
		k.Up, k.Down = ui.Bind("up k K", "↑/k", "up"), ui.Bind("down j J", "↓/j", "down")
		k.Search, k.Next, k.Prev = key.Binding{}, key.Binding{}, key.Binding{}
		b.pager.Keys = k
	}
	return b.pager.Keys
}

// actions is the keys of the list or of the text, whichever has the focus.
func (b *beside) actions(list []ui.Action) []ui.Action {
	b.keys()
	if b.on {
		return append(b.pager.Actions(), keyOther.In("Read"))
	}
	list = slices.DeleteFunc(list, func(a ui.Action) bool { return len(a.Key.Keys()) == 0 })
	return append(append(list, b.pager.Actions()...), keyOther.In("Read"))
}

// key takes the keys that belong to the text, and reports whether this was one.
func (b *beside) key(msg tea.KeyPressMsg) bool {
	k := b.keys()
	switch {
	case key.Matches(msg, keyOther.Key):
		b.on = !b.on
	case key.Matches(msg, k.Up, k.Down, k.PageUp, k.PageDown, k.Top, k.Bottom):
		b.pager.Update(msg)
	default:
		return false
	}
	return true
}

// close leaves the text for the list, and reports whether it had the focus.
func (b *beside) close() bool {
	was := b.on
	b.on = false
	return was
}

// page reports whether the text covers the list.
func (b *beside) page() bool { return b.on && !ui.Wide(b.width) }

// mouse gives a wheel or a click, counted from the top of the screen, to the text
// if it lies under it. Else it comes back for the list, counted from the list's
// top.
func (b *beside) mouse(msg tea.Msg) (forList tea.Msg) {
	m, ok := msg.(tea.MouseMsg)
	if !ok || m.Mouse().Y < b.top {
		return nil
	}
	wide := ui.Wide(b.width)
	left, _, _ := ui.Panes(b.width, b.height, b.share)
	inText := b.page() || wide && m.Mouse().X > left+1
	if _, click := msg.(tea.MouseClickMsg); click && wide {
		b.on = inText
	}
	switch {
	case inText:
		b.pager.Update(msg)
		return nil
	case wide:
		return ui.Shift(msg, 1, b.top+1)
	}
	return ui.Shift(msg, 0, b.top)
}

// show has the pager show what write makes of the thing with this id. It's made
// anew when id, state, width or colours are others than at the last drawing; the
// place is kept while the id stays.
func (b *beside) show(id, state any, width int, write func(width int) string) {
	was, now := b.drawn, drawn{id, state, width, b.styles.Dark}
	switch {
	case now == was:
		return
	case now.id == was.id:
		b.pager.SetText(write(width))
	default:
		b.pager.Show(write(width))
	}
	b.drawn = now
}

// view draws the list and the text, which write hands to show, in width times
// height cells below top lines.
func (b *beside) view(list func(width, height int) string, write func(width int), width, height, top int) string {
	b.width, b.height, b.top = width, height, top
	if !ui.Wide(width) {
		if !b.on {
			return list(width, height)
		}
		return ui.Frame(b.styles, b.text(write, width-2, height-2), width-2, height-2, true)
	}
	left, right, rows := ui.Panes(width, height, b.share)
	return ui.Split(b.styles, list(left, rows), b.text(write, right, rows), width, height, b.share, b.on)
}

// text draws the text with a margin, so that it doesn't touch its frame.
func (b *beside) text(write func(width int), width, height int) string {
	write(width - 1)
	return " " + strings.ReplaceAll(b.pager.View(width-1, height), "\n", "\n ")
}

// listSize is the size in which view draws the list.
func (b *beside) listSize() (width, height int) {
	if !ui.Wide(b.width) {
		return b.width, b.height
	}
	left, _, rows := ui.Panes(b.width, b.height, b.share)
	return left, rows
}

// resettle changes a list's items and keeps the cursor on the line of the screen
// where it is; the list by itself keeps only its row.
func resettle[T any](l *ui.List[T], id func(T) string, width, height int, change func()) {
	at, some := l.Selected()
	seen := l.Visible()
	change()
	if !some || len(seen) == 0 || width <= 0 || height <= 0 {
		return
	}
	if now, _ := l.Selected(); id(now) != id(at) {
		return
	}
	for _, edge := range []T{seen[len(seen)-1], seen[0]} {
		if l.Select(id(edge)) {
			l.View(width, height)
		}
	}
	l.Select(id(at))
}

// centre puts the cursor on a row, in the middle of the screen if it isn't in
// view.
func centre[T any](l *ui.List[T], id string, width, height int) {
	if !l.Select(id) || width <= 0 || height <= 0 {
		return
	}
	at := l.Index()
	for _, edge := range []int{at + height/2, at - height/2} {
		l.Move(edge - l.Index())
		l.View(width, height)
	}
	l.Select(id)
}
