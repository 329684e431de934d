package review

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/views"
)

// changeSigns begin the lines of what changes, on all pages.
var changeSigns = []string{views.SignRemoved, views.SignAdded, "~ ", "· "}

// changeLines returns the lines of the page on which a change begins. Lines that change
// together are one change; a row of the database is one, too.
func (r *Review) changeLines() (at []int) {
	changed := false
	for i, l := range strings.Split(ansi.Strip(r.text(max(1, r.drawn[r.page]-1))), "\n") {
		was := changed
		changed = strings.Contains(l, "│ "+views.SignAdded) ||
			slices.ContainsFunc(changeSigns, func(sign string) bool { return strings.HasPrefix(l, sign) })
		if changed && (!was || r.page == pageRows || r.page == pageNotes) {
			at = append(at, i)
		}
	}
	return at
}

// nextChange goes to the next change of the page, or to the one before, around the ends; on
// the page of several texts to another text.
func (r *Review) nextChange(by int) tea.Cmd {
	if n := len(r.entries()); r.page == pageText && n > 1 {
		return r.moveText(by)
	}
	at := r.changeLines()
	if r.changes = len(at); r.changes == 0 {
		return nil
	}
	if r.change < 0 && by < 0 {
		r.change = 0
	}
	r.change = (r.change + by + len(at)) % len(at)
	r.pager().GoTo(at[r.change])
	return nil
}

// changePlace says which change n went to last, or is empty.
func (r *Review) changePlace() string {
	if r.change < 0 || r.changes == 0 {
		return ""
	}
	return fmt.Sprintf(" · change %d of %d", r.change+1, r.changes)
}
