package ask

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"lcm-tui/data"
)

// grepArguments are those of lcm_grep as far as a navigator needs them: words, in messages,
// summaries or both.
type grepArguments struct {
	Pattern string   `json:"pattern"`
	Mode    string   `json:"mode"`
	Scope   string   `json:"scope"`
	Limit   *float64 `json:"limit"`
}

// Limits of one search.
const (
	mostMatches   = 200
	snippetLength = 200
)

// expressionSign matches what is a sign of a regular expression, and no word.
var expressionSign = regexp.MustCompile(`[|\\\[\]^$]|\.[*+?]|\)[*+?]`)

// grep searches the messages and summaries of the grant for words. What it shows of a summary is
// a part of its text, so that it can be cited.
func (t *Tools) grep(ctx context.Context, a grepArguments) (string, error) {
	switch {
	case strings.TrimSpace(a.Pattern) == "":
		return "", &InputError{"pattern is required and must not be blank", "give words to search for"}
	case expressionSign.MatchString(strings.Join(strings.Split(a.Pattern, `"`), " ")):
		return "", &InputError{"only words can be searched for here, not regular expressions", `give words; "a phrase" in quotes stands together`}
	case !slices.Contains([]string{"", "messages", "summaries", "both"}, a.Scope):
		return "", &InputError{"there is no scope " + foldSpace(a.Scope, 80), "give messages, summaries or both"}
	}
	limit := maxMatches
	if n := wholeNumber(a.Limit); n != nil {
		limit = int(min(max(*n, 1), mostMatches))
	}
	lines := []string{"## LCM Grep Results", "**Pattern:** `" + foldSpace(a.Pattern, snippetLength) + "`"}
	var found []string
	if a.Scope != "summaries" {
		rows, err := t.grepMessages(ctx, a.Pattern, limit)
		if err != nil {
			return "", err
		}
		found = append(found, section("### Messages", rows)...)
	}
	if a.Scope != "messages" {
		rows, err := t.grepSummaries(ctx, a.Pattern, limit)
		if err != nil {
			return "", err
		}
		found = append(found, section("### Summaries", rows)...)
	}
	if len(found) == 0 {
		found = []string{"", "No matches found."}
	}
	return strings.Join(append(lines, found...), "\n"), nil
}

// section is rows under a heading, or nothing.
func section(heading string, rows []string) []string {
	if len(rows) == 0 {
		return nil
	}
	return slices.Concat([]string{"", heading, ""}, rows)
}

func (t *Tools) grepMessages(ctx context.Context, query string, limit int) (rows []string, err error) {
	found, err := matchingMessages(ctx, t.DB, query, t.scope(), limit)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(found))
	for i, m := range found {
		ids[i] = m.ID
	}
	at, err := t.DB.MessagesByID(ctx, ids, data.WholeText)
	for _, id := range ids {
		if m, ok := at[id]; ok {
			rows = append(rows, fmt.Sprintf("- [conv=%d msg#%d] (%s, %s): %s", m.Conversation, m.ID, m.Role, minute(m.CreatedAt), snippet(m.Content, query)))
		}
	}
	return rows, err
}

func (t *Tools) grepSummaries(ctx context.Context, query string, limit int) (rows []string, err error) {
	ids, err := matchingSummaries(ctx, t.DB, query, t.scope(), limit)
	if err != nil {
		return nil, err
	}
	at, err := t.DB.SummariesByID(ctx, ids, data.WholeText)
	for _, id := range ids {
		if s, ok := at[id]; ok {
			rows = append(rows, fmt.Sprintf("- [conv=%d %s] (%s, %s): %s", s.Conversation, s.ID, s.Kind, minute(s.CreatedAt), snippet(s.Content, query)))
			t.Usage.addSeen(id)
		}
	}
	return rows, err
}

// matching are the summaries of the grant that a full-text search finds.
func (t *Tools) matching(ctx context.Context, query string) ([]string, error) {
	return matchingSummaries(ctx, t.DB, query, t.scope(), maxMatches)
}

// minute is a time as the tools write it, or - where it can't be read.
func minute(t data.Time) string {
	if !t.Valid() {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

// snippet is the part of a text that covers most of a query, on one line.
func snippet(text, query string) string {
	part := strings.Trim(excerpt(text, strings.ReplaceAll(query, `"`, " ")), "…")
	if short := foldSpace(part, snippetLength); short != foldSpace(part, len(part)) {
		return foldSpace(part, snippetLength-3) + "..."
	}
	return foldSpace(part, snippetLength)
}
