package views

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/pending"
	"lcm-tui/ui"
)

// FirstNonEmpty returns the first text that isn't empty, or an empty one.
func FirstNonEmpty(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// TextWhen returns text if yes, else an empty text.
func TextWhen(yes bool, text string) string {
	if yes {
		return text
	}
	return ""
}

// ShortenHome shortens a path by the user's home folder.
func ShortenHome(path string) string {
	h, err := os.UserHomeDir()
	if err != nil || h == "" {
		return path
	}
	return TrimHome(path, h)
}

// TrimHome shortens a path that lies in the home folder, or is it.
func TrimHome(path, home string) string {
	home = strings.TrimRight(home, `/\`)
	rest, ok := strings.CutPrefix(path, home)
	if !ok || home == "" || rest != "" && !os.IsPathSeparator(rest[0]) {
		return path
	}
	return "~" + rest
}

// MaxFound is how many things of a kind the palette lists for a query.
const MaxFound = 12

// shortRoles are the roles in a narrow list.
var shortRoles = map[string]string{"assistant": "asst", "system": "sys"}

// RoleText returns a role in width cells.
func RoleText(role string, width int) string {
	if short := shortRoles[role]; short != "" && width < len(role) {
		return short
	}
	return ui.LineN(role, width)
}

// StateLines is how many lines the state in words takes at most, where the screen has room.
const StateLines = 2

// WrapAtMost wraps text, which may be styled, into at most so many lines; what is cut shows as ….
func WrapAtMost(text string, width, most int) []string {
	lines := ui.WrapLines(text, width)
	if len(lines) <= most {
		return lines
	}
	return append(lines[:most-1:most-1], ui.Cut(strings.Join(lines[most-1:], " "), width))
}

// RowsByTable says how many rows of each table change.
func RowsByTable(rows map[string]int64) string {
	var parts []string
	for _, table := range slices.Sorted(maps.Keys(rows)) {
		if n := rows[table]; n > 0 {
			parts = append(parts, table+" "+ui.Num(n))
		}
	}
	return strings.Join(parts, ", ")
}

// IDWidth is how many cells an id has in lists.
const IDWidth = 13

// ShortID returns an id for a list, which is any text in a damaged file.
func ShortID(id string, width int) string { return ui.CutMiddle(ui.LineN(id, 80), width) }

// Opening returns the start of a text without the sign of a heading.
func Opening(text string, width int) string {
	return ui.LineN(WithoutHeading(text), width)
}

// WithoutHeading returns a text without the sign of a heading at its start.
func WithoutHeading(text string) string {
	return strings.TrimLeft(text[:min(len(text), 16)], "# \n\t") + text[min(len(text), 16):]
}

// ExpandHome replaces a leading ~ by the home folder.
func ExpandHome(path string) string {
	home, err := os.UserHomeDir()
	if rest, ok := strings.CutPrefix(path, "~/"); ok && err == nil {
		return filepath.Join(home, rest)
	}
	return path
}

// RowID returns a row's key as a number; 0, which nothing has, where it's none.
func RowID(row string) int64 {
	n, _ := strconv.ParseInt(row, 10, 64)
	return n
}

// StateText returns the state of the work on a batch, as lists of conversations show it.
func StateText(s *ui.Styles, state pending.State) string {
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

// DepthSigns explain the depths of summaries.
func (e *Env) DepthSigns() []ui.Sign {
	s := e.Styles
	return []ui.Sign{
		{Mark: s.Depth(0).Render("d0"), Meaning: "a leaf: a summary of messages"},
		{Mark: s.Depth(1).Render("d1"), Meaning: "a condensed summary, made of leaves; d2 of d1, and so on"},
	}
}

// ItemPreview returns the start of what a context item is, in one line. The call of a tool looks
// as it does among the messages.
func ItemPreview(it *lcm.ContextItem, width int) string {
	name, input, found := strings.Cut(it.Preview, "] ")
	if it.IsSummary() || it.Role == "user" || !found || !strings.HasPrefix(name, "[") || strings.ContainsAny(name, " \n") {
		return Opening(it.Preview, width)
	}
	return ui.LineN(name+"] "+lcm.Argument(input), width)
}
