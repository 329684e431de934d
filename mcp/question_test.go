package mcp_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"lcm-tui/engine/ask"
)

// listResources returns the resources of a server.
func listResources(t *testing.T, c *sdk.ClientSession) []*sdk.Resource {
	t.Helper()
	r, err := c.ListResources(t.Context(), nil)
	if err != nil {
		return nil
	}
	return r.Resources
}

// TestQuestionWithoutAModel: the answer quotes passages, and its counts are ours.
func TestQuestionWithoutAModel(t *testing.T) {
	t.Parallel()
	m := makeMixed(t)
	o := options(m.path)
	o.Scope = only(1)
	c := connect(t, o, statelessVersion, "test")
	text, failed := callTool(t, c, "lcm_expand_query", map[string]any{"prompt": "Which common words?", "summaryIds": []string{m.own[1]}})
	var reply struct {
		Answer                string   `json:"answer"`
		CitedIDs              []string `json:"citedIds"`
		SourceConversationIDs []int64  `json:"sourceConversationIds"`
	}
	if err := json.Unmarshal([]byte(text), &reply); err != nil || failed {
		t.Fatalf("failed %v, %v: %s", failed, err, text)
	}
	if reply.Answer == "" || len(reply.CitedIDs) == 0 || len(reply.SourceConversationIDs) != 1 || reply.SourceConversationIDs[0] != 1 {
		t.Errorf("%s", text)
	}
	for says, arguments := range map[string]map[string]any{
		`lcm_expand_query needs \"prompt\"`:    {"query": "common"},
		"prompt is required and must not be":   {"prompt": " ", "query": "common"},
		"one of summaryIds and query is":       {"prompt": "What?"},
		"there is no summary sum_of_nobody":    {"prompt": "What?", "summaryIds": []string{"sum_of_nobody"}},
		"timeoutMs: expected a number, not":    {"prompt": "What?", "query": "common", "timeoutMs": "long"},
		"session scope: conversation 2":        {"prompt": "What?", "query": "common", "conversationId": 2},
		`summaryIds: expected a list of strin`: {"prompt": "What?", "summaryIds": "sum_a"},
	} {
		if text, failed := callTool(t, c, "lcm_expand_query", arguments); !failed || !strings.Contains(text, says) {
			t.Errorf("%v: failed %v, want %q: %s", arguments, failed, says, text)
		}
	}
}

// TestOneConversationWinsOverAll: a question that names a conversation is answered as if it didn't say all of them too.
func TestOneConversationWinsOverAll(t *testing.T) {
	t.Parallel()
	c := connect(t, options(makeMixed(t).path), statelessVersion, "test")
	for _, query := range []string{"common", "unheard"} {
		arguments := map[string]any{"prompt": "What?", "query": query, "conversationId": 1}
		want, _ := callTool(t, c, "lcm_expand_query", arguments)
		arguments["allConversations"] = true
		if got, _ := callTool(t, c, "lcm_expand_query", arguments); got != want {
			t.Errorf("%s: with all conversations\n%s\nwithout\n%s", query, got, want)
		}
	}
}

// TestAskerThatCannotBeMade: the error says why, and the next question tries again.
func TestAskerThatCannotBeMade(t *testing.T) {
	t.Parallel()
	m := makeMixed(t)
	o, tries := options(m.path), 0
	o.Asker = func() (*ask.Asker, error) {
		if tries++; tries == 1 {
			return nil, errors.New("there is no key")
		}
		return &ask.Asker{}, nil
	}
	c := connect(t, o, statelessVersion, "test")
	for range 3 {
		arguments := map[string]any{"prompt": "What?", "summaryIds": []string{m.own[1]}, "conversationId": 1}
		if text, failed := callTool(t, c, "lcm_expand_query", arguments); failed != strings.Contains(text, "there is no key") {
			t.Errorf("try %d: failed %v: %s", tries, failed, text)
		}
	}
	if tries != 2 {
		t.Errorf("it was made %d times", tries)
	}
}
