package retrieve

import (
	"fmt"
	"strings"

	"lcm-tui/data/jstext"
)

const (
	mostGrepText    = 40_000 // Code units.
	mostGrepSnippet = 200
)

// Text returns the result as the agent tool gives it.
func (r *GrepResult) Text() string {
	header := []string{
		"## LCM Grep Results",
		"**Pattern:** `" + r.request.Pattern + "`",
		fmt.Sprintf("**Mode:** %s | **Scope:** %s | **Sort:** %s", r.request.Mode, r.request.In, r.request.Sort),
		"**Conversation scope:** " + r.scope.String(),
	}
	if w := r.window; w.limited() {
		since, before := "since -∞", "before +∞"
		if w.since.text != "" {
			since = "since " + w.since.text
		}
		if w.before.text != "" {
			before = "before " + w.before.text
		}
		header = append(header, "**Time filter:** "+since+" | "+before)
	}
	if r.request.In == InFiles {
		header = append(header, "**File scan:** first 512,000 bytes per file; matches beyond that prefix are not searched.")
	}
	header = append(header, noteLines(r.Notes)...)
	header = append(header, fmt.Sprintf("**Total matches:** %d", r.Total))
	t := grepText{lines: append(header, "")}
	t.length = jstext.Length(strings.Join(t.lines, "\n"))
	if len(r.Messages) > 0 {
		t.section("Messages", len(r.Messages), func(i int) string {
			m := r.Messages[i]
			return fmt.Sprintf("- [conv=%d msg#%d] (%s, %s): %s", m.Conversation, m.ID, m.Role, m.CreatedAt, oneLine(m.Snippet))
		})
	}
	if len(r.Summaries) > 0 {
		t.section("Summaries", len(r.Summaries), func(i int) string {
			s := r.Summaries[i]
			return fmt.Sprintf("- [conv=%d %s] (%s, %s): %s", s.Conversation, s.ID, s.Kind, s.CreatedAt, oneLine(s.Snippet))
		})
	}
	if len(r.Files) > 0 {
		t.section("Files", len(r.Files), func(i int) string { return r.Files[i].line() })
	}
	if r.Total == 0 {
		t.lines = append(t.lines, "No matches found.")
	}
	return strings.Join(t.lines, "\n")
}

// noteLines returns lines of a header that say what the answer leaves out, so that a part of it never
// looks like the whole.
func noteLines(notes []string) (lines []string) {
	for _, note := range notes {
		lines = append(lines, "**Note:** "+note)
	}
	return lines
}

// grepText is a text whose rows may have so many code units together.
type grepText struct {
	lines  []string
	length int
}

// section adds rows under a heading until the text is too long.
func (t *grepText) section(title string, rows int, row func(i int) string) {
	t.lines = append(t.lines, "### "+title, "")
	for i := range rows {
		line := row(i)
		if t.length+jstext.Length(line) > mostGrepText {
			t.lines = append(t.lines, "*(truncated — more results available)*")
			break
		}
		t.lines = append(t.lines, line)
		t.length += jstext.Length(line)
	}
	t.lines = append(t.lines, "")
}

func (f GrepFile) line() string {
	name := ""
	if f.Name != nil && *f.Name != "" {
		name = " (" + *f.Name + ")"
	}
	line := fmt.Sprintf("- [conv=%d %s%s] line %d, offset %d: `%s` %s", f.Conversation, f.ID, name, f.Line, f.Offset, f.Match, oneLine(f.Snippet))
	if f.Truncated {
		line += " (file scan truncated)"
	}
	return line
}

// oneLine returns a snippet in one line of at most 200 code units.
func oneLine(s string) string {
	s = jstext.Trim(strings.ReplaceAll(s, "\n", " "))
	if jstext.Length(s) > mostGrepSnippet {
		return jstext.Slice(s, 0, mostGrepSnippet-3) + "..."
	}
	return s
}
