package search

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/engine/search"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// maxNotes is how many lines say what could not be understood or searched.
const maxNotes = 2

// headLines returns the lines above the hits: the query with the count, how it is searched, and
// what there is to say about it.
func (v *Search) headLines(width, _ int) []string {
	s := v.env.Styles
	if v.saveTo.Typing() {
		return []string{" " + v.saveTo.View(width-1), s.Muted.Render(ui.Cut(" "+v.modeText(), width))}
	}
	count := v.resultText()
	input := v.input.View(max(8, width-ansi.StringWidth(count)-3))
	if v.replaces && v.input.Typing() {
		count = "typing begins another query"
		input = v.input.View(max(8, width-ansi.StringWidth(count)-3))
	}
	lines := []string{" " + input + " " + s.Muted.Render(count) + " "}
	left, right := " "+v.modeText(), v.runText()+" "
	if ansi.StringWidth(left)+ansi.StringWidth(right) >= width {
		left = ui.Cut(left, max(0, width-ansi.StringWidth(right)-1))
	}
	gap := max(0, width-ansi.StringWidth(left)-ansi.StringWidth(right))
	lines = append(lines, ui.Cut(s.Muted.Render(left)+strings.Repeat(" ", gap)+v.runStyled(right), width))
	notes := append(v.query.Notes[:len(v.query.Notes):len(v.query.Notes)], v.run.notes...)
	for i, n := range notes {
		if i == maxNotes {
			break
		}
		lines = append(lines, s.Warn.Render(" ~ "+ui.LineN(n, width-3)))
	}
	return lines
}

// runStyled styles what the search is doing.
func (v *Search) runStyled(text string) string {
	if v.run.stream != nil {
		return v.env.Styles.Accent.Render(text)
	}
	return v.env.Styles.Muted.Render(text)
}

// modeText says in words how the query is searched.
func (v *Search) modeText() string {
	parts := []string{"text", "any case", "any form of a word", sortText(v.mode.sort)}
	switch {
	case v.mode.regexp:
		parts[0], parts[1], parts[2] = "regular expression", "smart case", ""
	case v.mode.matchCase:
		parts[2] = "the words as typed"
	}
	if v.mode.matchCase {
		parts[1] = "match case"
	}
	if v.mode.wholeWord {
		parts[2] = "whole words"
	}
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " · ")
}

// sortText returns an order in words.
func sortText(s search.Sort) string {
	switch s {
	case search.Best:
		return "best match first"
	case search.Oldest:
		return "oldest first"
	case search.ByConversation:
		return "by conversation"
	}
	return "newest first"
}

// countText returns how many hits there are.
func (v *Search) countText() string {
	total, more := v.results.Count()
	return ui.Num(int64(total)) + views.TextWhen(more && total > 0, "+")
}

// resultText returns how many of the hits are listed, and how long that took.
func (v *Search) resultText() string {
	switch {
	case v.query.IsEmpty():
		return ""
	case v.run.pending:
		return "searching…"
	}
	total, more := v.results.Count()
	if total == 0 && v.run.stream != nil {
		return "searching…"
	}
	text, listed := v.countText(), 0
	for _, r := range v.rows {
		listed += max(1, r.Copies)
	}
	if listed < total {
		text = ui.Num(int64(listed)) + " of " + text
	}
	if total == 1 && !more {
		text += " hit"
	} else {
		text += " hits"
	}
	return fmt.Sprintf("%s · %.2fs", text, v.run.elapsed.Seconds())
}

// runText returns how far the search is, how far it came, or how to narrow it down.
func (v *Search) runText() string {
	switch {
	case v.run.stream != nil && !v.run.pending && !v.run.progress.Back.IsZero():
		return v.kindText() + v.reachText() + fmt.Sprintf(" (%.0f%%)", 100*v.run.progress.Done) + " · esc stops"
	case v.run.stopped != "":
		return v.run.stopped
	case v.origin != 0 && !v.query.IsEmpty() && v.input.Typing() && !v.isNarrowed():
		return "alt+i only " + ui.LineN(v.nameOfConversation(v.origin), 28)
	}
	return ""
}

// kindText returns what is being read, in front of how far.
func (v *Search) kindText() string {
	switch v.run.progress.Kind {
	case search.PartKind:
		return "tool calls: "
	case search.SummaryKind:
		return "summaries: "
	case search.FileKind:
		return "files: "
	}
	return ""
}
