package retrieve_test

import (
	"errors"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/retrieve"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

func TestTheCapOfADescription(t *testing.T) {
	t.Parallel()
	db := lineageFile(t, "a leaf 1 2026-01-01: 1@0")
	for name, c := range map[string]struct {
		request retrieve.DescribeRequest
		cap     int64
		source  string
	}{
		"nothing given":                  {retrieve.DescribeRequest{}, 4000, "config_default"},
		"a setting":                      {retrieve.DescribeRequest{DefaultCap: 9000}, 9000, "config_default"},
		"a request":                      {retrieve.DescribeRequest{TokenCap: new(int64(5)), DefaultCap: 9000}, 5, "request"},
		"a request of less than a token": {retrieve.DescribeRequest{TokenCap: new(int64(-5))}, 1, "request"},
		"what is left of a grant":        {retrieve.DescribeRequest{Limits: retrieve.Limits{Tokens: new(int64(70))}}, 70, "delegated_grant_remaining"},
		"a request within a grant":       {retrieve.DescribeRequest{TokenCap: new(int64(9)), Limits: retrieve.Limits{Tokens: new(int64(70))}}, 9, "request"},
		"a request above a grant":        {retrieve.DescribeRequest{TokenCap: new(int64(99)), Limits: retrieve.Limits{Tokens: new(int64(70))}}, 70, "request"},
		"a grant that is used up":        {retrieve.DescribeRequest{TokenCap: new(int64(99)), Limits: retrieve.Limits{Tokens: new(int64(-1))}}, 0, "request"},
	} {
		c.request.ID = "sum_a"
		d, err := c.request.Run(t.Context(), db, retrieve.AllConversations())
		if err != nil {
			t.Fatal(err)
		}
		if m := d.Manifest; m.TokenCap != c.cap || m.Source != c.source || m.Nodes[0].Fits.Summaries != (c.cap >= 10) {
			t.Errorf("%s: %d from %s, fits %v", name, m.TokenCap, m.Source, m.Nodes[0].Fits)
		}
	}
}

func TestWhatIsNotInTheScopeIsRefused(t *testing.T) {
	t.Parallel()
	db := alteredSample(t, "UPDATE summaries SET summary_id = 'sum_a' WHERE rowid = 1; UPDATE summaries SET conversation_id = 2")
	one := retrieve.Conversations(1)
	for _, c := range []struct {
		id     string
		scope  retrieve.Scope
		says   string
		reason retrieve.Reason
	}{
		{"sum_a", one, "Not found in this session scope: sum_a", retrieve.OutOfScope},
		{"sum_a", one.Within(retrieve.Conversations(1, 2)), "Not found in this session scope: sum_a", retrieve.OutOfScope},
		{"sum_a", one.Within(one), "Not found: sum_a", retrieve.NotFound},
		{"file_00000000000000aa", one, "Not found: file_00000000000000aa", retrieve.NotFound},
		{"sum_b", one, "Not found: sum_b", retrieve.NotFound},
		{"nothing", one, "no id", retrieve.BadRequest},
	} {
		_, err := retrieve.DescribeRequest{ID: c.id}.Run(t.Context(), db, c.scope)
		var tool *retrieve.ToolError
		if !errors.As(err, &tool) || !strings.Contains(tool.Error(), c.says) || tool.Reason != c.reason || tool.Hint() == "" {
			t.Errorf("%s: %v", c.id, err)
		}
	}
	if _, err := (retrieve.DescribeRequest{ID: "sum_a"}).Run(t.Context(), db, retrieve.Conversations()); err == nil {
		t.Error("a scope without conversations shows a summary")
	}
}

func TestCellsThatCannotBeReadAreShownAsNothing(t *testing.T) {
	t.Parallel()
	db := alteredSample(t, `UPDATE summaries SET summary_id = 'sum_a' WHERE rowid = 1;
		UPDATE summaries SET earliest_at = 'yesterday', latest_at = NULL, created_at = x'ff', token_count = 'many', depth = 'deep',
			descendant_count = -4, descendant_token_count = -1, source_message_token_count = 'x', file_ids = '{broken', content = CAST(x'41e282' AS TEXT)
		WHERE summary_id = 'sum_a';
		UPDATE large_files SET file_id = 'file_a', file_name = NULL, mime_type = NULL, byte_size = NULL, line_count = NULL,
			exploration_summary = '', created_at = 'never'`)
	text := describeAll(t, db, "sum_a").Text()
	for _, want := range []string{" depth=0 tok=0 descTok=0 srcTok=0 desc=0 range=-..- budgetCap=4000\n", "\ncontent\nA\ufffd"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in:\n%s", want, text)
		}
	}
	want := "## LCM File: file_a\n\n**Conversation:** 1\n**Name:** (no name)\n**Type:** unknown\n**Created:** -\n\n*No exploration summary available.*"
	if text := describeAll(t, db, "file_a").Text(); text != want {
		t.Errorf("the file is described as:\n%s", text)
	}
}

// TestGenerationsAreDescribed: a file that lacks columns or tables has less to say, and no error.
func TestGenerationsAreDescribed(t *testing.T) {
	t.Parallel()
	for _, level := range []fakehost.Level{fakehost.Levels()[0], "0.6.0", fakehost.Beta} {
		db := testdb.Open(t, testdb.Sample(t, level))
		found, err := lcm.SummariesByPrefix(t.Context(), db, "sum_", 100)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d summaries (%v)", level, len(found), err)
		}
		for _, s := range found {
			d := describeAll(t, db, s.ID)
			if s.Condensed() != (len(d.Summary.Parents) > 0) || s.Condensed() == (len(d.Summary.Messages) > 0) {
				t.Errorf("%s: %s has %d sources and %d messages", level, s.ID, len(d.Summary.Parents), len(d.Summary.Messages))
			}
		}
		files, err := lcm.FileIDs(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		for id := range files {
			if text := describeAll(t, db, id).Text(); !strings.HasPrefix(text, "## LCM File: "+id+"\n") {
				t.Errorf("%s: %s", level, text)
			}
		}
	}
}

func TestMissingTables(t *testing.T) {
	t.Parallel()
	db := alteredSample(t, `UPDATE summaries SET summary_id = 'sum_a' WHERE rowid = 1;
		DROP TABLE summary_parents; DROP TABLE summary_messages; DROP TABLE large_files; DROP TABLE messages`)
	d := describeAll(t, db, "sum_a")
	if len(d.Summary.Parents)+len(d.Summary.Children)+len(d.Summary.Messages) > 0 || len(d.Summary.Subtree) != 1 {
		t.Errorf("%+v", d.Summary)
	}
	x, err := retrieve.Expand(t.Context(), db, retrieve.AllConversations(), "sum_a", retrieve.ExpandOptions{Depth: 3, Messages: true})
	if err != nil || len(x.Children)+len(x.Messages) > 0 {
		t.Errorf("%+v (%v)", x, err)
	}
	_, err = retrieve.DescribeRequest{ID: "file_a"}.Run(t.Context(), db, retrieve.AllConversations())
	if !errors.Is(err, data.ErrDamaged) { // Whether there was such a file, nobody knows.
		t.Error(err)
	}
}
