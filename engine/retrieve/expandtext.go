package retrieve

import (
	"fmt"
	"strings"

	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
)

// snippetUnits is how much of a summary's text a snippet shows, in UTF-16 units.
const snippetUnits = 200

// Text returns the expansions as the agent tool gives them; with contents, if the request asked for them.
func (e *Expansions) Text() string {
	lines := []string{fmt.Sprintf("## Expansion Results (%d summaries, %d total tokens)", len(e.Expansions), e.Tokens)}
	lines = append(append(lines, noteLines(e.Notes)...), "")
	withheld := 0
	for _, x := range e.Expansions {
		lines = append(lines, x.lines(e.full)...)
		withheld += x.Withheld
	}
	if len(e.CitedIDs) > 0 {
		lines = append(lines, "Cited IDs for follow-up: "+strings.Join(e.CitedIDs, ", "))
	}
	if withheld > 0 {
		lines = append(lines, "[Left out: "+plural.Count(withheld, "source", "sources")+" of other conversations]")
	}
	truncated := map[bool]string{true: "yes", false: "no"}
	return strings.Join(append(lines, "[Truncated: "+truncated[e.Truncated]+"]"), "\n")
}

// lines returns one summary's part of the text.
func (x *Expansion) lines(full bool) []string {
	kind := lcm.KindLeaf
	if len(x.Children) > 0 {
		kind = lcm.KindCondensed
	}
	lines := []string{fmt.Sprintf("### %s (%s, %d tokens)", x.ID, kind, x.Tokens)}
	var ids, messages []string
	for _, c := range x.Children {
		ids = append(ids, c.ID)
	}
	for _, m := range x.Messages {
		messages = append(messages, m.name())
	}
	if len(ids) > 0 {
		lines = append(lines, "Children: "+strings.Join(ids, ", "))
	}
	if len(messages) > 0 {
		lines = append(lines, "Messages: "+strings.Join(messages, ", "))
	}
	if full {
		return append(lines, x.contents()...)
	}
	if len(ids) > 0 && x.Children[0].Content != "" {
		lines = append(lines, "[Snippet: "+snippet(x.Children[0].Content)+"]")
	}
	return append(lines, "")
}

// contents returns the whole texts of what lies below a summary.
func (x *Expansion) contents() []string {
	lines := []string{""}
	for _, c := range x.Children {
		lines = append(lines, fmt.Sprintf("#### %s (%s, %d tokens)", c.ID, c.Kind, c.Tokens), c.Content, "")
	}
	for _, m := range x.Messages {
		lines = append(lines, "#### "+m.name(), m.body, "")
	}
	return lines
}

// name returns the message in a list.
func (m ExpandedMessage) name() string {
	return fmt.Sprintf("msg#%d (%s, %d tokens)", m.ID, m.Role, m.Tokens)
}

// snippet returns the start of a text.
func snippet(text string) string {
	if jstext.Length(text) <= snippetUnits {
		return text
	}
	return jstext.Slice(text, 0, snippetUnits) + "..."
}
