package ui

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Tabs is a line of numbered tabs. It only draws; the screen binds the digits.
type Tabs struct {
	Names  []string
	Active int
}

// The gaps between tabs.
const (
	tabGap       = "   "
	narrowTabGap = "  "
)

// View draws the tabs, the active one bold and underlined. Where they do not
// fit, the others lose what follows their first word, then the active one does; then the gaps
// become narrower; then the others lose all but the number. Words that begin with ! or ~ say what is wrong, and always stay.
func (t Tabs) View(s *Styles, width int) string {
	labels, gap := t.labels(width)
	for i, l := range labels {
		if i == t.Active {
			labels[i] = s.Title.Underline(true).Render(l)
		} else {
			labels[i] = s.Muted.Render(l)
		}
	}
	return Cut(" "+strings.Join(labels, gap), width)
}

// Hit returns the tab at column x of a View of this width.
func (t Tabs) Hit(x, width int) (int, bool) {
	at := 1
	labels, gap := t.labels(width)
	for i, l := range labels {
		w := ansi.StringWidth(l)
		if x >= at && x < at+w {
			return i, true
		}
		at += w + len(gap)
	}
	return 0, false
}

func (t Tabs) labels(width int) (out []string, gap string) {
	for _, try := range []struct {
		level int
		gap   string
	}{{wholeNames, tabGap}, {othersFirstWords, tabGap}, {firstWords, tabGap}, {firstWords, narrowTabGap}, {narrowest, tabGap}} {
		out, gap = out[:0], try.gap
		for i, name := range t.Names {
			out = append(out, tabLabel(i, name, try.level, i == t.Active))
		}
		if 1+ansi.StringWidth(strings.Join(out, gap)) <= width {
			break
		}
	}
	return out, gap
}

// The levels of labels, from the widest on.
const (
	wholeNames       = iota
	othersFirstWords // Of all but the active tab.
	firstWords       // Of all tabs.
	narrowest        // Numbers, but for the active tab.
)

func tabLabel(i int, name string, level int, active bool) string {
	number := strconv.Itoa(i + 1)
	words := strings.Fields(name)
	switch {
	case level == wholeNames, active && level != firstWords:
		return number + " " + name
	case len(words) == 0:
		return number
	case level == narrowest:
		words[0] = ""
	}
	words = append([]string{number, words[0]}, slices.DeleteFunc(words[1:], func(w string) bool { return w[0] != '!' && w[0] != '~' })...)
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}
