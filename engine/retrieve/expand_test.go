package retrieve_test

import (
	"errors"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/engine/retrieve"
)

// tree returns a file with a summary d2 above d1a and d1b, above leaves of two messages each. Every
// summary has 10 tokens, every message 5.
func tree(t *testing.T) *data.DB {
	t.Helper()
	return lineageFile(t,
		"a leaf 1 2026-01-01: 1@0 2@1",
		"b leaf 1 2026-01-02: 3@0 4@1",
		"c leaf 1 2026-01-03: 6@0 5@1",
		"d1a condensed 1 2026-01-04: a@0 b@1",
		"d1b condensed 1 2026-01-05: c@0",
		"d2 condensed 1 2026-01-06: d1b@1 d1a@0",
		"SQL: UPDATE messages SET token_count = 5, content = 'text ' || message_id",
		"SQL: DELETE FROM summaries_fts; INSERT INTO summaries_fts (summary_id, content) SELECT summary_id, content FROM summaries",
	)
}

func TestTheFirstThatDoesNotFitEndsAnExpansion(t *testing.T) {
	t.Parallel()
	db := tree(t)
	for _, c := range []struct {
		depth, cap int64 // A cap of 0 is none.
		messages   bool
		children   string
		shown      int // Messages.
		tokens     int64
		truncated  bool
	}{
		{depth: 0},
		{depth: -1, messages: true},
		{depth: 1, children: "d1a d1b", tokens: 20},
		{depth: 2, children: "d1a a b d1b c", tokens: 50},
		{depth: 9, children: "d1a a b d1b c", tokens: 50},
		{depth: 2, messages: true, children: "d1a a b d1b c", tokens: 50},
		{depth: 3, messages: true, children: "d1a a b d1b c", shown: 6, tokens: 80},
		{depth: 3, messages: true, cap: 80, children: "d1a a b d1b c", shown: 6, tokens: 80},
		{depth: 3, messages: true, cap: 79, children: "d1a a b d1b c", shown: 5, tokens: 75, truncated: true},
		{depth: 3, messages: true, cap: 39, children: "d1a a", shown: 2, tokens: 30, truncated: true},
		{depth: 2, cap: 29, children: "d1a a", tokens: 20, truncated: true},
		{depth: 2, cap: 9, truncated: true},
	} {
		o := retrieve.ExpandOptions{Depth: c.depth, Messages: c.messages}
		if c.cap > 0 {
			o.TokenCap = &c.cap
		}
		x, err := retrieve.Expand(t.Context(), db, retrieve.AllConversations(), "sum_d2", o)
		if err != nil || childIDs(x) != c.children || len(x.Messages) != c.shown || x.Tokens != c.tokens || x.Truncated != c.truncated {
			t.Errorf("%+v: %s, %d messages, %d tokens, truncated %v (%v)", c, childIDs(x), len(x.Messages), x.Tokens, x.Truncated, err)
		}
	}
}

func TestSeveralSummariesShareACap(t *testing.T) {
	t.Parallel()
	db := tree(t)
	for _, c := range []struct {
		ids       string
		cap       *int64
		limits    retrieve.Limits
		expanded  int
		cited     string
		tokens    int64
		truncated bool
	}{
		{"sum_d1a sum_d1b sum_a", nil, retrieve.Limits{}, 3, "sum_d1a sum_a sum_b sum_d1b sum_c", 30, false},
		{"sum_d1a sum_d1b sum_d2", new(int64(30)), retrieve.Limits{}, 2, "sum_d1a sum_a sum_b sum_d1b sum_c", 30, true},
		{"sum_d1a sum_d1b", new(int64(25)), retrieve.Limits{}, 2, "sum_d1a sum_a sum_b sum_d1b", 20, true},
		{"sum_d1a sum_d1b", new(int64(19)), retrieve.Limits{}, 1, "sum_d1a sum_a", 10, true},
		{"sum_d2", nil, retrieve.Limits{MaxDepth: new(int64(1))}, 1, "sum_d2 sum_d1a sum_d1b", 20, false},
		{"sum_d2", nil, retrieve.Limits{Tokens: new(int64(10))}, 1, "sum_d2 sum_d1a", 10, true},
		{"sum_d2", new(int64(99)), retrieve.Limits{Tokens: new(int64(10))}, 1, "sum_d2 sum_d1a", 10, true},
		{"sum_d2", new(int64(99)), retrieve.Limits{Tokens: new(int64(0))}, 0, "", 0, true},
		{"sum_none", nil, retrieve.Limits{Summaries: []string{"sum_none"}}, 1, "sum_none", 0, false},
	} {
		r := retrieve.ExpandRequest{Summaries: strings.Fields(c.ids), TokenCap: c.cap, Limits: c.limits}
		e, err := r.Run(t.Context(), db, retrieve.Conversations(1))
		if err != nil {
			t.Fatal(err)
		}
		if cited := strings.Join(e.CitedIDs, " "); len(e.Expansions) != c.expanded || cited != c.cited || e.Tokens != c.tokens || e.Truncated != c.truncated {
			t.Errorf("%+v: %d expansions, %s, %d tokens, truncated %v", c, len(e.Expansions), cited, e.Tokens, e.Truncated)
		}
	}
}

func TestAQueryIsExpandedWithoutMessages(t *testing.T) {
	t.Parallel()
	db := tree(t)
	for _, c := range []struct {
		query  string
		limits retrieve.Limits
		cited  string
	}{
		{"text d2", retrieve.Limits{}, "sum_d2 sum_d1a sum_a sum_b sum_d1b sum_c"},
		{"of a", retrieve.Limits{}, "sum_a"},
		{"text", retrieve.Limits{Summaries: []string{"sum_a", "sum_b"}}, "sum_b sum_a"},
		{"d2|a", retrieve.Limits{}, ""}, // No tool reads it as a regular expression here.
		{"nothing", retrieve.Limits{}, ""},
	} {
		r := retrieve.ExpandRequest{Query: c.query, Summaries: []string{"sum_c"}, Messages: true, Limits: c.limits}
		e, err := r.Run(t.Context(), db, retrieve.Conversations(1))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(e.CitedIDs, " "); got != c.cited || strings.Contains(e.Text(), "Messages: ") {
			t.Errorf("%s: %s\n%s", c.query, got, e.Text())
		}
	}
	if e, err := (retrieve.ExpandRequest{Query: "text"}).Run(t.Context(), db, retrieve.Conversations(2)); err != nil || len(e.Expansions) != 0 {
		t.Errorf("a query looks outside of its scope: %+v (%v)", e, err)
	}
}

// TestExpandSaysHowItSearched: what the grep for a query says of itself stands in the text.
func TestExpandSaysHowItSearched(t *testing.T) {
	t.Parallel()
	db := lineageFile(t, "a leaf 1 2026-01-01: 1@0", "SQL: DROP TABLE summaries_fts")
	e, err := retrieve.ExpandRequest{Query: "of"}.Run(t.Context(), db, retrieve.AllConversations())
	if err != nil || !strings.Contains(e.Text(), "**Note:** the search table summaries_fts is missing or damaged") {
		t.Errorf("%v, %v", e, err)
	}
}

func TestWhatMayNotBeExpandedIsRefused(t *testing.T) {
	t.Parallel()
	db := tree(t)
	for says, r := range map[string]retrieve.ExpandRequest{
		"Either summaryIds or query must be provided.": {},
		"Summary sum_b is not among those":             {Summaries: []string{"sum_a", "sum_b"}, Limits: retrieve.Limits{Summaries: []string{"sum_a"}}},
		"Not found in this session scope: sum_a":       {Summaries: []string{"sum_a", "sum_none"}},
	} {
		_, err := r.Run(t.Context(), db, retrieve.Conversations(2))
		var tool *retrieve.ToolError
		if !errors.As(err, &tool) || !strings.Contains(tool.Error(), says) || tool.Hint() == "" {
			t.Errorf("%q: %v", says, err)
		}
	}
}

func TestAMessageWithoutACountIsEstimated(t *testing.T) {
	t.Parallel()
	db := lineageFile(t, "a leaf 1 2026-01-01: 1@0 2@1 3@2", `SQL: UPDATE messages SET token_count = 0, content = '';
		UPDATE messages SET content = '日本語' WHERE message_id = 2; UPDATE messages SET token_count = -4 WHERE message_id = 3`)
	x, err := retrieve.Expand(t.Context(), db, retrieve.AllConversations(), "sum_a", retrieve.ExpandOptions{Depth: 1, Messages: true})
	if err != nil || x.Messages[0].Tokens != 0 || x.Messages[1].Tokens != 5 || x.Messages[2].Tokens != -4 || x.Tokens != 1 {
		t.Errorf("%+v (%v)", x, err)
	}
}

func TestASnippetIsCutLikeInJavaScript(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ content, want string }{
		"as long as it may be":     {strings.Repeat("x", 200), strings.Repeat("x", 200)},
		"one unit longer":          {strings.Repeat("x", 201), strings.Repeat("x", 200) + "..."},
		"a pair at the end":        {strings.Repeat("x", 198) + "😀", strings.Repeat("x", 198) + "😀"},
		"a pair that is cut":       {strings.Repeat("x", 199) + "😀", strings.Repeat("x", 199) + "\ufffd..."},
		"letters of several bytes": {strings.Repeat("日", 201), strings.Repeat("日", 200) + "..."},
		"two lines":                {"one\ntwo", "one\ntwo"},
	} {
		db := lineageFile(t, "a leaf 1 2026-01-01: 1@0", "b condensed 1 2026-01-01: a@0", "SQL: UPDATE summaries SET content = '"+c.content+"'")
		e, err := retrieve.ExpandRequest{Summaries: []string{"sum_b"}}.Run(t.Context(), db, retrieve.AllConversations())
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(e.Text(), "\n[Snippet: "+c.want+"]\n") {
			t.Errorf("%s: %s", name, e.Text())
		}
	}
}

func TestAFullExpansionHasTheTextsOfSummariesMessagesAndParts(t *testing.T) {
	t.Parallel()
	db := lineageFile(t, "a leaf 1 2026-01-01: 1@0 2@1", "b condensed 1 2026-01-01: a@0", `SQL:
		UPDATE messages SET token_count = 5, role = 'user', content = 'the question' WHERE message_id = 1;
		UPDATE messages SET token_count = 5, role = 'tool', content = '' WHERE message_id = 2;
		DELETE FROM message_parts WHERE message_id = 2;
		INSERT INTO message_parts (part_id, message_id, session_id, part_type, ordinal, tool_output, metadata)
			VALUES ('p', 2, 's', 'tool', 0, '"the answer"', '{"originalRole":"toolResult"}')`)
	e, err := retrieve.ExpandRequest{Summaries: []string{"sum_b"}, Messages: true, Full: true}.Run(t.Context(), db, retrieve.AllConversations())
	if err != nil {
		t.Fatal(err)
	}
	want := `## Expansion Results (1 summaries, 20 total tokens)

### sum_b (condensed, 20 tokens)
Children: sum_a
Messages: msg#1 (user, 5 tokens), msg#2 (tool, 5 tokens)

#### sum_a (leaf, 10 tokens)
text of a

#### msg#1 (user, 5 tokens)
the question

#### msg#2 (tool, 5 tokens)
the answer

Cited IDs for follow-up: sum_b, sum_a
[Truncated: no]`
	if e.Text() != want {
		t.Errorf("it is\n%s", e.Text())
	}
	if e.Expansions[0].Messages[1].Content != "" {
		t.Error("the content of a message isn't what the reference engine gives")
	}
}
