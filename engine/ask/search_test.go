package ask

import (
	"context"
	"strings"
	"testing"

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
		"ids win":                        {"zebra", retrieve.AllConversations(), `"error": "no summary of any conversation matches"`},
	} {
		if text := ask(t, a, db, Params{Query: c.query}, c.scope); !strings.Contains(text, c.want) {
			t.Errorf("%s: %s", name, text)
		}
	}
	if text := ask(t, a, db, Params{Query: "zebra", SummaryIDs: []string{"sum_port"}}, retrieve.Conversations(1)); !strings.Contains(text, "for sum_port") {
		t.Errorf("ids win over a query: %s", text)
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

func TestQueriesAreDerivedFromPrompts(t *testing.T) {
	t.Parallel()
	db := memory(t)
	for prompt, want := range map[string]string{
		"Which port does the gateway listen on?": `"listen" "port" "gateway"`,
		"Why was red refused for the banner?":    `"red" "refused" "banner"`,
		"What about unicorns and dragonflies?":   `"dragonflies" "unicorns"`,
		"What?":                                  "What?",
	} {
		got, err := DeriveQuery(t.Context(), db, retrieve.Conversations(1), prompt)
		if err != nil || got != want {
			t.Errorf("%q: %s, %v; want %s", prompt, got, err, want)
		}
	}
}
