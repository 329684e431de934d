package views

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/engine/pending"
	"lcm-tui/ui"
)

// firstNonEmpty returns the first text that isn't empty, or an empty one.
func firstNonEmpty(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// textWhen returns text if yes, else an empty text.
func textWhen(yes bool, text string) string {
	if yes {
		return text
	}
	return ""
}

// shortenHome shortens a path by the user's home folder.
func shortenHome(path string) string {
	h, err := os.UserHomeDir()
	if err != nil || h == "" {
		return path
	}
	return trimHome(path, h)
}

// trimHome shortens a path that lies in the home folder, or is it.
func trimHome(path, home string) string {
	home = strings.TrimRight(home, `/\`)
	rest, ok := strings.CutPrefix(path, home)
	if !ok || home == "" || rest != "" && !os.IsPathSeparator(rest[0]) {
		return path
	}
	return "~" + rest
}

// maxFound is how many things of a kind the palette lists for a query.
const maxFound = 12

// percentOf is a share that may exceed the whole.
func percentOf(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) }

// shortRoles are the roles in a narrow list.
var shortRoles = map[string]string{"assistant": "asst", "system": "sys"}

// roleText is a role in width cells.
func roleText(role string, width int) string {
	if short := shortRoles[role]; short != "" && width < len(role) {
		return short
	}
	return ui.LineN(role, width)
}

// stateLines is how many lines the state in words takes at most, where the screen has room.
const stateLines = 2

// wrapAtMost wraps text, which may be styled, into at most so many lines; what is cut shows as ….
func wrapAtMost(text string, width, most int) []string {
	lines := ui.WrapLines(text, width)
	if len(lines) <= most {
		return lines
	}
	return append(lines[:most-1:most-1], ui.Cut(strings.Join(lines[most-1:], " "), width))
}

// whyNoRedo says why nothing can be redone. The record of a set has no images of its rows.
func whyNoRedo(set bool) string {
	if set {
		return "a prune is planned again instead"
	}
	return "nothing was undone here"
}

// rowsByTable says how many rows of each table change.
func rowsByTable(rows map[string]int64) string {
	var parts []string
	for _, table := range slices.Sorted(maps.Keys(rows)) {
		if n := rows[table]; n > 0 {
			parts = append(parts, table+" "+ui.Num(n))
		}
	}
	return strings.Join(parts, ", ")
}

const idInList = 13

// shortID is an id for a list, which is any text in a damaged file.
func shortID(id string, width int) string { return ui.CutMiddle(ui.LineN(id, 80), width) }

// opening is the start of a text without the sign of a heading.
func opening(text string, width int) string {
	return ui.LineN(strings.TrimLeft(text[:min(len(text), 16)], "# \n\t")+text[min(len(text), 16):], width)
}

// expandHome replaces a leading ~ by the home folder.
func expandHome(path string) string {
	home, err := os.UserHomeDir()
	if rest, ok := strings.CutPrefix(path, "~/"); ok && err == nil {
		return filepath.Join(home, rest)
	}
	return path
}

// rowID is a row's key as a number; 0, which nothing has, where it's none.
func rowID(row string) int64 {
	n, _ := strconv.ParseInt(row, 10, 64)
	return n
}

// stateText is the state of the work on a batch, as lists of conversations show it.
func stateText(s *ui.Styles, state pending.State) string {
	switch state {
	case pending.Prepared:
		return s.Good.Render("● prepared")
	case pending.Preparing:
		return s.Accent.Render("◐ preparing")
	case pending.Waiting:
		return s.Warn.Render("~ waiting")
	case pending.Stuck:
		return s.Bad.Render("! stuck")
	case pending.Ignored:
		return s.Muted.Render("· ignored")
	}
	return ""
}
