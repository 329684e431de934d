package shell

import (
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"lcm-tui/ui"
)

// overlay is a box over the screen that takes the keys while it is there. Esc
// closes it without its help.
type overlay interface {
	// update reports whether the overlay is done.
	update(tea.Msg) (closed bool, cmd tea.Cmd)
	// view draws the box, frame included, in at most width times height cells.
	view(width, height int) string
}

// refresher is an overlay of what can be done now: refresh reads that again. It runs after every message, because what
// the screen below waited for may have come.
type refresher interface{ refresh() }

// overlays holds the overlay that is open. It lies in the middle of the window.
type overlays struct {
	open overlay // Nil for none.
	jobs *ui.Jobs
}

// close closes the overlay, if there is one, and ends its jobs.
func (o *overlays) close() {
	if o.open != nil {
		o.jobs.Cancel(o.open)
		o.open = nil
	}
}

// refresh brings the overlay up to date, if there is one.
func (o *overlays) refresh() {
	if r, ok := o.open.(refresher); ok {
		r.refresh()
	}
}

// update hands a message to the overlay, and reports whether that closed it.
func (o *overlays) update(msg tea.Msg) (closed bool, cmd tea.Cmd) {
	was := o.open
	closed, cmd = was.update(msg)
	if closed = closed && o.open == was; closed { // What was chosen may have opened another.
		o.close()
	}
	return closed, cmd
}

// mouse hands wheel and click to the overlay, with their place counted from the cell inside of its frame; a click
// beside it closes it.
func (o *overlays) mouse(msg tea.MouseMsg, width, height int) (closed bool, cmd tea.Cmd) {
	box, m := o.layer(width, height), msg.Mouse()
	if _, click := msg.(tea.MouseClickMsg); click && lipgloss.NewCompositor(box).Hit(m.X, m.Y).ID() != overlayID {
		o.close()
		return true, nil
	}
	return o.update(ui.ShiftMouse(msg, box.GetX()+1, box.GetY()+1))
}

// opens hands wheel and click to the list of an overlay, which has some lines above it, and reports whether it was a
// click on the row under the cursor, which does what enter does.
func opens[T any](list *ui.List[T], msg tea.MouseMsg, above int) bool {
	return list.Update(ui.ShiftMouse(msg, 0, above)) != nil // Only such a click leads to anything.
}

const overlayID = "over"

// draw lays the overlay over the window.
func (o *overlays) draw(window string, width, height int) string {
	if o.open == nil {
		return window
	}
	return lipgloss.NewCanvas(width, height).
		Compose(lipgloss.NewCompositor(lipgloss.NewLayer(window), o.layer(width, height))).Render()
}

func (o *overlays) layer(width, height int) *lipgloss.Layer {
	box := o.open.view(max(width, minWidth), max(height, minHeight))
	return lipgloss.NewLayer(box).ID(overlayID).Z(1).
		X(max(0, (width-lipgloss.Width(box))/2)).
		Y(max(0, (height-lipgloss.Height(box))/2))
}
