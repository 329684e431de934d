package ask

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/retrieve"
	"lcm-tui/internal/demo"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// passageHead matches the line above a quoted passage, and the first line of the passage.
var passageHead = regexp.MustCompile(`(?m)^\[(\S+).*match (\d\.\d\d)\)\n> (.*)$`)

// TestQuestionsFindWhatTheyAreAbout asks the demonstration as people ask, without naming words to
// search for.
func TestQuestionsFindWhatTheyAreAbout(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := demo.Write(path, time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	db := testdb.Open(t, path)
	a := &Asker{}
	for question, want := range map[string]string{
		"Why are webhooks slow?":                                          "Payment webhooks: cause found",
		"Why do customers get the confirmation mail twice?":               "Duplicate confirmation mails: cause found",
		"What caused the checkout incident?":                              "Checkout incident of the 14th: cause found",
		"Who may rotate the API keys of partners?":                        "Partner API keys: cause found",
		"How long did deploys to all regions take before?":                "Deploy pipeline: cause found",
		"How do the events of one booking keep their order?":              "Payment webhooks: ",
		"Why does the on-call rota page two people?":                      "On-call rota: cause found",
		"How many images did the registry hold, and what did it cost?":    "Image cleanup: cause found",
		"What happens when a worker dies between sending and committing?": "Duplicate confirmation mails: ",
		"How is replica lag handled by the backfill?":                     "Bookings migration: ",
		"Is the port name cache cleared by the admin screen?":             "Search latency: ",
		"Which ticket showed the departure in the wrong zone?":            "Time zones of departures: ",
		"Which test is there for internal/payment/webhook.go?":            "Payment webhooks: change made",
		"Why is every third run of the end-to-end tests red?":             "Flaky end-to-end tests: cause found",
		"Why is the sailing search for Baltic routes slow?":               "Search latency: cause found",
		"Does the bookings table get its tenant_id without any downtime?": "Bookings migration: cause found",
	} {
		for _, all := range []bool{false, true} {
			scope := retrieve.Conversations(2)
			if all {
				scope = retrieve.AllConversations()
			}
			r, err := a.Ask(t.Context(), db, Params{Prompt: question, FromPrompt: true}, scope, Caller{Session: "test"}, nil)
			if err != nil {
				t.Fatal(question, err)
			}
			first := passageHead.FindStringSubmatch(r.Answer)
			if first == nil || !strings.HasPrefix(first[3], "## "+want) {
				t.Errorf("%s (all: %v): the first passage is not of %q: %.300s", question, all, want, r.Answer)
			}
		}
	}
}

func TestWordsOfAPromptFindSummaries(t *testing.T) {
	t.Parallel()
	chinese := "INSERT INTO summaries (summary_id, conversation_id, kind, depth, content, token_count, created_at, latest_at) VALUES ('sum_cjk', 1, 'leaf', 0, '网关监听端口 8443', 9, '2026-02-01 00:00:00', '2026-02-01 00:00:00')"
	db, without := memory(t, chinese), memory(t, chinese, "DROP TABLE summaries_fts", "DROP TABLE summaries_fts_cjk")
	for prompt, want := range map[string]string{
		"Which port does the gateway listen on?": "sum_port",
		"Why was red refused for the banners?":   "sum_color",
		"网关监听哪个端口？":                              "sum_cjk",
		"What about unicorns and dragonflies?":   "",
		"Why?":                                   "",
	} {
		for name, d := range map[string]*data.DB{"with search tables": db, "without": without} {
			found, _, err := promptCandidates(t.Context(), d, prompt, retrieve.Conversations(1))
			got := ""
			if len(found) > 0 {
				got = found[0].id
			}
			if err != nil || got != want {
				t.Errorf("%s, %s: %s, %v; want %s", prompt, name, got, err, want)
			}
		}
	}
}

// TestNothingFitsALongQuestion: a summary that holds one common word of many is named and not quoted.
func TestNothingFitsALongQuestion(t *testing.T) {
	t.Parallel()
	p := Params{Prompt: "Did unicorns, dragonflies, elephants, giraffes or penguins cross the port?", FromPrompt: true}
	text := ask(t, &Asker{}, memory(t), p, retrieve.Conversations(1))
	if !strings.Contains(text, "no passage fits the question well. The nearest summaries are sum_") || strings.Contains(text, "> ") || !strings.Contains(text, `"citedIds": []`) {
		t.Error(text)
	}
}

func TestMessagesAreFoundWhereNoSummaryHoldsAWord(t *testing.T) {
	t.Parallel()
	text := ask(t, &Asker{}, memory(t), Params{Prompt: "Where is the zebra?", FromPrompt: true}, retrieve.Conversations(3))
	if !strings.Contains(text, "What about host 3 and the zebra?") {
		t.Error(text)
	}
}

func TestAnAgentSaysWhereToStart(t *testing.T) {
	t.Parallel()
	text := ask(t, &Asker{}, memory(t), Params{Prompt: "Which port does the gateway use?"}, retrieve.Conversations(1))
	if !strings.Contains(text, "one of summaryIds and query is required") {
		t.Error(text)
	}
	same := Params{Prompt: "Which banner?", Query: "gateway 8443"}
	want := ask(t, &Asker{}, memory(t), same, retrieve.Conversations(1))
	same.FromPrompt = true
	if got := ask(t, &Asker{}, memory(t), same, retrieve.Conversations(1)); got != want {
		t.Errorf("a query wins over the prompt: %s", got)
	}
}
