package review

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/ui"
	"lcm-tui/views"
)

// page is one side of a plan. It gets the mouse relative to its own first line.
type page interface {
	draw(width, height int) string
	update(msg tea.Msg) tea.Cmd // Takes the keys that are none of the actions, pastes and the mouse.
	actions() []views.Action    // Its own keys,
	moveKeys() []ui.Action      // and those of what it scrolls.
	redraw()                    // The plan is another one.
	enter()                     // It is turned to.
	place() string              // The change that n went to last, or empty.
	ui.Typer
	ui.Escaper
}

// scrollPage is a page of text that scrolls, in which n and N go from change to change.
type scrollPage struct {
	pager *ui.Pager
	text  func(width int) string
	drawn int // The width for which the text was made; 0 is none.
	// eachLine says that each line that changes is a change, not only the first of several.
	eachLine bool
	change   int // The one that n went to last, from 0; -1 is none.
	changes  int // How many there were then.
}

func newScrollPage(s *ui.Styles, text func(width int) string) *scrollPage {
	return &scrollPage{pager: ui.NewPager(s), text: text, change: -1}
}

func (v *scrollPage) redraw()               { v.drawn = 0 }
func (v *scrollPage) enter()                { v.change = -1 }
func (v *scrollPage) moveKeys() []ui.Action { return v.pager.Actions() }

// Typing implements ui.Typer.
func (v *scrollPage) Typing() bool { return v.pager.Typing() }

// Escape implements ui.Escaper.
func (v *scrollPage) Escape() bool { return v.pager.Escape() }

// update sends a message to what scrolls; a click does nothing.
func (v *scrollPage) update(msg tea.Msg) tea.Cmd {
	if _, click := msg.(tea.MouseClickMsg); click {
		return nil
	}
	return v.pager.Update(msg)
}

// fill makes the text for a width.
func (v *scrollPage) fill(width int) {
	if v.drawn != width {
		v.drawn = width
		v.pager.SetText(v.text(width - 1))
	}
}

func (v *scrollPage) draw(width, height int) string {
	v.fill(width)
	return v.pager.View(width, height)
}

func (v *scrollPage) actions() []views.Action {
	return v.moves(keyNextChange, keyPrevChange, v.nextChange)
}

// moves returns the actions of n and N, which the search takes while there is one.
func (v *scrollPage) moves(next, previous ui.Action, move func(by int) tea.Cmd) []views.Action {
	searching := views.TextWhen(v.pager.Searched(), "n and N go from match to match: esc ends the search")
	return []views.Action{
		{Action: next.In("Look").InFooter().Off(searching == "", searching), Run: func() tea.Cmd { return move(1) }},
		{Action: previous.In("Look").Off(searching == "", searching), Run: func() tea.Cmd { return move(-1) }},
	}
}

// changeSigns begin the lines of what changes, on all pages.
var changeSigns = []string{views.SignRemoved, views.SignAdded, "~ ", "· "}

// changeLines returns the lines on which a change begins. Lines that change together are one
// change, and so is each row of the database.
func (v *scrollPage) changeLines() (at []int) {
	changed := false
	for i, l := range strings.Split(ansi.Strip(v.text(max(1, v.drawn-1))), "\n") {
		was := changed
		changed = strings.Contains(l, "│ "+views.SignAdded) ||
			slices.ContainsFunc(changeSigns, func(sign string) bool { return strings.HasPrefix(l, sign) })
		if changed && (!was || v.eachLine) {
			at = append(at, i)
		}
	}
	return at
}

// nextChange goes to the next change, or to the one before, around the ends.
func (v *scrollPage) nextChange(by int) tea.Cmd {
	at := v.changeLines()
	if v.changes = len(at); v.changes == 0 {
		return nil
	}
	if v.change < 0 && by < 0 {
		v.change = 0
	}
	v.change = (v.change + by + len(at)) % len(at)
	v.pager.GoTo(at[v.change])
	return nil
}

func (v *scrollPage) place() string {
	if v.change < 0 || v.changes == 0 {
		return ""
	}
	return fmt.Sprintf(" · change %d of %d", v.change+1, v.changes)
}
