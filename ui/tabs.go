package ui

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Tabs is a line of numbered tabs. It only draws; the screen binds the digits.
type Tabs struct {
	Names  []string
	Active int
}

const tabGap = "   "

// View draws the tabs, the active one bold and underlined. Where they do not
// fit, the others lose what follows their first word, then all but the number.
func (t Tabs) View(s *Styles, width int) string {
	labels := t.labels(width)
	for i, l := range labels {
		if i == t.Active {
			labels[i] = s.Title.Underline(true).Render(l)
		} else {
			labels[i] = s.Muted.Render(l)
		}
	}
	return Cut(" "+strings.Join(labels, tabGap), width)
}

// Hit returns the tab at column x of a View of this width.
func (t Tabs) Hit(x, width int) (int, bool) {
	at := 1
	for i, l := range t.labels(width) {
		w := ansi.StringWidth(l)
		if x >= at && x < at+w {
			return i, true
		}
		at += w + len(tabGap)
	}
	return 0, false
}

func (t Tabs) labels(width int) []string {
	var out []string
	for level := range 3 {
		out = out[:0]
		for i, name := range t.Names {
			out = append(out, tabLabel(i, name, level, i == t.Active))
		}
		if 1+ansi.StringWidth(strings.Join(out, tabGap)) <= width {
			break
		}
	}
	return out
}

func tabLabel(i int, name string, level int, active bool) string {
	number := strconv.Itoa(i + 1)
	if active || level == 0 {
		return number + " " + name
	}
	if first := strings.Fields(name); level == 1 && len(first) > 0 {
		return number + " " + first[0]
	}
	return number
}
