package ask

import (
	"context"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/engine/retrieve"
)

func TestQueriesFindCandidates(t *testing.T) {
	t.Parallel()
	db := memory(t)
	a := &Asker{Navigator: navigatorFunc(plain)}
	for name, c := range map[string]struct {
		query string
		scope retrieve.Scope
		want  string
	}{
		"all words of one summary":       {"gateway 8443", retrieve.Conversations(1), `"answer": "4000 tokens for sum_port"`},
		"newest first":                   {"files none", retrieve.Conversations(1), `"answer": "4000 tokens for sum_color sum_port"`},
		"a phrase":                       {`"painted in teal"`, retrieve.Conversations(1), `"answer": "4000 tokens for sum_color"`},
		"nothing, deep":                  {"zebra", retrieve.Conversations(1), `"answer": "` + nothingFound + `"`},
		"nothing of its conversation":    {"9003", retrieve.Conversations(2), `"answer": "` + nothingFound + `"`},
		"a message of a flat one":        {"zebra", retrieve.Conversations(3), `"answer": "4000 tokens for sum_3"`},
		"a family's newest conversation": {"zebra", retrieve.Conversations(2, 3), `"answer": "4000 tokens for sum_3"`},
		"nothing in a flat one":          {"unicorn", retrieve.Conversations(3), `"answer": "` + nothingFound + `"`},
		"nothing in all":                 {"unicorn", retrieve.AllConversations(), `"error": "no summary of any conversation matches"`},
		"words of a search language":     {"gateway OR NOT port*", retrieve.Conversations(1), `"answer": "` + nothingFound + `"`},
		"a quotation mark in a word":     {`gate"way 8443`, retrieve.Conversations(1), `"answer": "4000 tokens for sum_port"`},
		"a quotation mark alone":         {`gateway " 8443 port`, retrieve.Conversations(1), `"answer": "4000 tokens for sum_port"`},
	} {
		if text := ask(t, a, db, Params{Query: c.query}, c.scope); !strings.Contains(text, c.want) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// TestNamedSummariesComeBeforeThoseOfAQuery: an answer starts from both, from each once.
func TestNamedSummariesComeBeforeThoseOfAQuery(t *testing.T) {
	t.Parallel()
	db := memory(t)
	a := &Asker{Navigator: navigatorFunc(plain)}
	for name, c := range map[string]struct {
		query string
		scope retrieve.Scope
		named []string
		want  string
	}{
		"another one":                  {"8443", retrieve.Conversations(1), []string{"sum_color"}, `"answer": "4000 tokens for sum_color sum_port"`},
		"the same one":                 {"8443", retrieve.Conversations(1), []string{"sum_port"}, `"answer": "4000 tokens for sum_port"`},
		"nothing":                      {"zebra", retrieve.Conversations(1), []string{"sum_port"}, `"answer": "4000 tokens for sum_port"`},
		"another conversation's":       {"8443", retrieve.AllConversations(), []string{"sum_2"}, "Conversation 2:\\n2000 tokens for sum_2\\n\\nConversation 1:\\n2000 tokens for sum_port"},
		"a named one that there isn't": {"8443", retrieve.Conversations(1), []string{"sum_no"}, `"error": "there is no summary sum_no"`},
	} {
		if text := ask(t, a, db, Params{Query: c.query, SummaryIDs: c.named}, c.scope); !strings.Contains(text, c.want) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestSeedsOfMessagesAreMarked(t *testing.T) {
	t.Parallel()
	var got Task
	a := &Asker{Navigator: navigatorFunc(func(_ context.Context, task Task) (Answer, error) {
		got = task
		return Answer{Text: "x"}, nil
	})}
	ask(t, a, memory(t), Params{Query: "zebra"}, retrieve.Conversations(4))
	if strings.Join(got.MessageBacked, " ") != "sum_4" || got.Query != "zebra" || !strings.Contains(got.text(), "hold messages that match: sum_4") {
		t.Errorf("%+v", got)
	}
}

func TestGrepFindsWordsInTheGrant(t *testing.T) {
	t.Parallel()
	task := newTask(t, 4000, "sum_top")
	for arguments, want := range map[string][]string{
		`{"pattern":"teal","mode":"full_text"}`:            {"### Messages", "- [conv=1 msg#4] (assistant, 2026-01-05 ", "It is teal now.", "### Summaries", "- [conv=1 sum_color] (leaf, 2026-01-05 "},
		`{"pattern":"teal","scope":"messages"}`:            {"msg#4"},
		`{"pattern":"port","scope":"summaries","limit":1}`: {"sum_"},
		`{"pattern":"unicorn","mode":"full_text"}`:         {"No matches found."},
		`{"pattern":"9002"}`:                               {"No matches found."},
		`{"pattern":"(?<=in )teal|x"}`:                     {"msg#", "sum_color"},
		`{"pattern":"port|gate","mode":"full_text"}`:       {"does not support regex syntax"},
		`{"pattern":"port","since":"soon"}`:                {"since"},
		`{"pattern":"port","scope":"files"}`:               {"there is no scope files"},
	} {
		text, _ := task.Tools.Call(t.Context(), ToolGrep, arguments)
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s lacks %q: %s", arguments, w, text)
			}
		}
		if strings.Contains(text, "conv=2") {
			t.Errorf("%s shows another conversation: %s", arguments, text)
		}
	}
	if got := (&task.Tools.Usage).apply(Answer{Cited: []string{"sum_color", "sum_2"}}); strings.Join(got.Cited, " ") != "sum_color" {
		t.Errorf("what grep showed can be cited: %+v", got)
	}
}

func TestExpandFindsItsSummariesByAQuery(t *testing.T) {
	t.Parallel()
	task := newTask(t, 4000, "sum_top")
	text, isError := task.Tools.Call(t.Context(), ToolExpand, `{"query":"settled","includeMessages":true}`)
	if isError || !strings.Contains(text, "### sum_top") || strings.Contains(text, "Paint the banner") {
		t.Error(text)
	}
}

// TestQueriesWithoutASearchTable: without the table, and for scripts without blanks, the texts are
// read themselves.
func TestQueriesWithoutASearchTable(t *testing.T) {
	t.Parallel()
	db := memory(t, "INSERT INTO summaries (summary_id, conversation_id, kind, depth, content, token_count, created_at, latest_at) VALUES ('sum_cjk', 1, 'leaf', 0, '网关监听端口 8443', 9, '2026-02-01 00:00:00', '2026-02-01 00:00:00')")
	without := memory(t, "DROP TABLE summaries_fts", "DROP TABLE messages_fts")
	for _, c := range []struct {
		db          *data.DB
		query, want string
	}{
		{db, "监听端口", "sum_cjk"},
		{db, "端口 8443", "sum_cjk"},
		{db, "监听端口 9000", ""},
		{db, "监听端口　数据", "sum_cjk"}, // As lcm_grep does: the blank of CJK is one of its signs, and a part of the run is enough.
		{without, "GATEWAY 8443", "sum_port"},
		{without, "gateway unicorn", ""},
	} {
		got, err := matchingSummaries(t.Context(), c.db, c.query, retrieve.Conversations(1), maxMatches)
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, %v; want %s", c.query, got, err, c.want)
		}
	}
}
