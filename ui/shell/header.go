package shell

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/ui"
)

// Header is what the first line says of the program and of what is open.
type Header struct {
	// Program is its name, in the badge.
	Program string
	// Right stands at the right end: what is open, and how.
	Right string
	// Live shows the dot of a change from outside; the shell also shows it by
	// itself for a moment after each.
	Live bool
}

const (
	pulseDuration = 1500 * time.Millisecond
	crumbSep      = " › "
)

// headLine returns badge, breadcrumb of the titles of the stack, what is open, and the dot.
func headLine(s *ui.Styles, h Header, titles []string, width int) string {
	dot := "  "
	if h.Live {
		dot = " " + s.Good.Render("●")
	}
	left := ""
	if h.Program != "" {
		left = s.Badge.Render(" "+ui.Line(h.Program)+" ") + " "
	}
	room := width - ansi.StringWidth(left) - 2
	share := 2
	if width < 60 { // Where one is matters more than what is open.
		share = 3
	}
	right := ui.LineN(h.Right, max(0, room/share))
	path := crumbs(s, titles, room-ansi.StringWidth(right)-2)
	return ui.Justify(left+" "+path, s.Muted.Render(right)+dot, width, 1)
}

// crumbs returns titles in width cells: those in the middle go
// first, then the first one, then the middle of the last.
func crumbs(s *ui.Styles, titles []string, width int) string {
	titles = dropTitles(titles, width)
	last := len(titles) - 1
	lead := strings.Join(titles[:last], crumbSep)
	if last > 0 {
		lead += crumbSep
	}
	return s.Crumb.Render(lead) + s.Title.Render(cutTitle(titles[last], max(1, width-ansi.StringWidth(lead))))
}

// cutTitle returns a title in width cells. Of "name › place" the name is cut, as long as some of it stays.
func cutTitle(title string, width int) string {
	place := ""
	if i := strings.LastIndex(title, crumbSep); i > 0 {
		title, place = title[:i], title[i:]
	}
	if room := width - ansi.StringWidth(place); room >= 3 {
		return ui.CutMiddle(title, room) + place
	}
	return ui.CutMiddle(title+place, width)
}

// dropTitles leaves out titles until the rest fits width or only the last is whole.
func dropTitles(titles []string, width int) []string {
	fits := func(t []string) bool { return ansi.StringWidth(strings.Join(t, crumbSep)) <= width }
	last := len(titles) - 1
	if last < 1 || fits(titles) {
		return titles
	}
	for from := 2; from <= last; from++ {
		if t := slices.Concat(titles[:1], []string{"…"}, titles[from:]); fits(t) {
			return t
		}
	}
	rest := []string{"…", titles[last]}
	room := width - ansi.StringWidth(strings.Join(rest, crumbSep)) - ansi.StringWidth(crumbSep)
	switch {
	case room < 6:
		return rest
	case last == 1:
		return []string{ui.CutMiddle(titles[0], room+4), titles[1]}
	}
	return slices.Concat([]string{ui.CutMiddle(titles[0], room)}, rest)
}
