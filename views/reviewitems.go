package views

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"lcm-tui/engine/remake"
	"lcm-tui/ops"
	"lcm-tui/ui"
)

// itemized is an operation that tells how far each of its texts is.
type itemized interface {
	ops.Op
	// Telling is the operation that takes it down in items.
	Telling(items *remake.Items) ops.Op
}

// itemsWidth is the width of the list of texts, where there is room beside them.
const itemsWidth = 38

// listed are the texts whose state is worth a list: those of a batch, and any while
// they're made.
func (r *Review) listed() []remake.Item {
	if r.page != pageText {
		return nil
	}
	all := r.items.All()
	if len(all) < 2 && !r.making() {
		return nil
	}
	return all
}

// making reports whether texts are being made right now.
func (r *Review) making() bool { return r.env.Jobs.Running(r, "plan "+r.op.Name()) }

// withItems puts the list of texts beside the page, or in its place where there is
// no room or nothing else to show.
func (r *Review) withItems(width, height int, page func(width int) string) string {
	items := r.listed()
	switch {
	case len(items) == 0:
		return page(width)
	case len(r.plan.Texts) == 0 || r.making() && width < 100:
		return r.itemList(items, width, height)
	case width < 100:
		return page(width)
	}
	list := strings.Split(r.itemList(items, itemsWidth, height), "\n")
	text := strings.Split(page(width-itemsWidth-3), "\n")
	for i := range text {
		text[i] = ui.Pad(at(list, i), itemsWidth) + r.env.Styles.Faint.Render(" │ ") + text[i]
	}
	return strings.Join(text, "\n")
}

// itemList is as much of the list as there is room for, around the text under
// judgement, or around the first that isn't ready.
func (r *Review) itemList(items []remake.Item, width, height int) string {
	current := slices.IndexFunc(items, func(i remake.Item) bool { return i.State == remake.Asking })
	if len(r.plan.Texts) > 0 && !r.making() {
		id := r.chosen().ID
		current = slices.IndexFunc(items, func(i remake.Item) bool { return i.ID == id })
	}
	head := r.env.Styles.Muted.Render(stateTally(items))
	first := min(max(0, current-(height-1)/2), max(0, len(items)-height+1))
	lines := []string{ui.Cut(" "+head, width)}
	for i, item := range items[first:min(len(items), first+height-1)] {
		lines = append(lines, ui.Cut(r.stateLine(item, first+i == current, width), width))
	}
	return strings.Join(lines, "\n")
}

// stateLine is one text and how far it is.
func (r *Review) stateLine(item remake.Item, current bool, width int) string {
	s := r.env.Styles
	mark, state := "  ", string(item.State)
	if current {
		mark = s.Accent.Render("▸ ")
	}
	switch item.State {
	case remake.Ready:
		state = s.Good.Render(state)
	case remake.Failed:
		state = s.Bad.Render("! failed: " + ui.Line(item.Why))
	case remake.Asking:
		state = s.Accent.Render(state)
	default:
		state = s.Muted.Render(state)
	}
	id := ui.Line(item.ID)
	if width < 80 {
		id = ui.CutMiddle(id, 17)
	}
	return mark + ui.Pad(id, min(22, lipgloss.Width(id))) + " " + state
}

// stateTally is how many texts there are of each state.
func stateTally(items []remake.Item) string {
	count := map[remake.State]int{}
	for _, i := range items {
		count[i.State]++
	}
	var words []string
	for _, state := range []remake.State{remake.Ready, remake.Asking, remake.Waiting, remake.Skipped, remake.Failed} {
		if n := count[state]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, state))
		}
	}
	return strings.Join(words, " · ")
}
