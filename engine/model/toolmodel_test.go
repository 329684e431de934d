package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/engine/model"
	"lcm-tui/engine/summarize"
)

// toolServer plays a server of all wire formats: it answers with the replies, one after the other.
type toolServer struct {
	*httptest.Server
	mu      sync.Mutex
	replies []string
	bodies  []map[string]any
}

func newToolServer(t *testing.T, replies ...string) *toolServer {
	t.Helper()
	s := &toolServer{replies: replies}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		body := map[string]any{}
		_ = json.Unmarshal(b, &body)
		s.mu.Lock()
		n := len(s.bodies)
		s.bodies = append(s.bodies, body)
		s.mu.Unlock()
		if n >= len(s.replies) {
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if status := strings.TrimPrefix(s.replies[n], "status "); status != s.replies[n] {
			code := 0
			_, _ = fmt.Sscan(status, &code)
			w.WriteHeader(code)
			fmt.Fprint(w, `{"error":{"message":"no"}}`)
			return
		}
		fmt.Fprint(w, s.replies[n])
	}))
	t.Cleanup(s.Close)
	return s
}

// field follows a path of keys and indexes into a request.
func field(v any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[p]
		case int:
			l, _ := v.([]any)
			if p >= len(l) {
				return nil
			}
			v = l[p]
		}
	}
	return v
}

func chooseTools(t *testing.T, c model.Choice, host model.HostConfig, spending *summarize.Spending) model.ToolModel {
	t.Helper()
	c.Retry = quick
	m, err := model.ChooseToolModel(c, env{}.get, host, spending)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var grepTool = model.Tool{
	Name: "lcm_grep", Description: "Finds texts.",
	Parameters: json.RawMessage(`{"type":"object","properties":{"pattern":{"type":"string"}},"required":["pattern"]}`),
}

// wireFormats are a reply that calls a tool twice and one that ends, in each format, and where a
// request has what the second request has to say.
var wireFormats = map[model.API]struct {
	calls, ends                    string
	toolName, secondID, secondText []any
	arguments                      []any
}{
	model.Messages: {
		`{"content":[{"type":"text","text":"Let me see."},{"type":"tool_use","id":"t1","name":"lcm_grep","input":{"pattern":"a"}},{"type":"tool_use","id":"t2","name":"lcm_grep","input":{"pattern":"b"}}],"stop_reason":"tool_use","usage":{"input_tokens":10,"output_tokens":5}}`,
		`{"content":[{"type":"text","text":"Done."}],"stop_reason":"end_turn","usage":{"input_tokens":20,"output_tokens":2}}`,
		[]any{"tools", 0, "name"},
		[]any{"messages", 2, "content", 1, "tool_use_id"},
		[]any{"messages", 2, "content", 1, "content", 0, "text"},
		[]any{"messages", 1, "content", 2, "input", "pattern"},
	},
	model.Chat: {
		`{"choices":[{"message":{"content":"Let me see.","tool_calls":[{"id":"t1","type":"function","function":{"name":"lcm_grep","arguments":"{\"pattern\":\"a\"}"}},{"id":"t2","type":"function","function":{"name":"lcm_grep","arguments":{"pattern":"b"}}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":10,"completion_tokens":5}}`,
		`{"choices":[{"message":{"content":"Done."},"finish_reason":"stop"}],"usage":{"prompt_tokens":20,"completion_tokens":2}}`,
		[]any{"tools", 0, "function", "name"},
		[]any{"messages", 4, "tool_call_id"},
		[]any{"messages", 4, "content"},
		[]any{"messages", 2, "tool_calls", 1, "function", "arguments"},
	},
	model.Responses: {
		`{"status":"completed","output":[{"type":"reasoning","id":"rs_1","summary":[]},{"type":"message","content":[{"type":"output_text","text":"Let me see."}]},{"type":"function_call","id":"fc_1","call_id":"t1","name":"lcm_grep","arguments":"{\"pattern\":\"a\"}"},{"type":"function_call","call_id":"t2","name":"lcm_grep","arguments":"{\"pattern\":\"b\"}"}],"usage":{"input_tokens":10,"output_tokens":5}}`,
		`{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"Done."}]}],"usage":{"input_tokens":20,"output_tokens":2}}`,
		[]any{"tools", 0, "name"},
		[]any{"input", 5, "call_id"},
		[]any{"input", 5, "output"},
		[]any{"input", 3, "arguments"},
	},
}

func TestToolCallsInEveryFormat(t *testing.T) {
	t.Parallel()
	for api, f := range wireFormats {
		s := newToolServer(t, f.calls, f.ends)
		m := chooseTools(t, model.Choice{Provider: model.Compatible, API: api, BaseURL: s.URL, Model: "x"}, model.HostConfig{}, nil)
		r := model.ToolRequest{
			System: "Be brief.", Tools: []model.Tool{grepTool}, MaxTokens: 500,
			Messages: []model.Exchange{{Role: model.RoleUser, Text: "Which port?"}},
		}
		first, err := m.CallWithTools(t.Context(), r)
		if err != nil {
			t.Fatalf("%s: %v", api, err)
		}
		if first.Message.Text != "Let me see." || len(first.Message.Calls) != 2 || first.InputTokens != 10 || first.OutputTokens != 5 {
			t.Fatalf("%s: %+v", api, first)
		}
		second := first.Message.Calls[1]
		if second.ID != "t2" || second.Name != "lcm_grep" || second.Arguments != `{"pattern":"b"}` {
			t.Errorf("%s: second call %+v", api, second)
		}
		r.NoCalls = true
		r.Messages = append(r.Messages, first.Message, model.Exchange{Role: model.RoleUser, Results: []model.ToolResult{{CallID: "t1", Text: "one"}, {CallID: "t2", Text: "two", IsError: true}}})
		last, err := m.CallWithTools(t.Context(), r)
		if err != nil || last.Message.Text != "Done." || len(last.Message.Calls) > 0 {
			t.Fatalf("%s: %+v, %v", api, last, err)
		}
		body := s.bodies[1]
		got := []any{field(body, f.toolName...), field(body, f.secondID...), field(body, f.secondText...), field(body, f.arguments...)}
		want := []any{"lcm_grep", "t2", "two", `{"pattern":"b"}`}
		if api == model.Messages {
			want[3] = "b"
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s%v", api, diff, body)
		}
		if choice := fmt.Sprint(body["tool_choice"]); !strings.Contains(choice, "none") {
			t.Errorf("%s: with NoCalls the choice of tools is %s", api, choice)
		}
		if strings.Contains(fmt.Sprint(body), "rs_1") || strings.Contains(fmt.Sprint(body), "fc_1") {
			t.Errorf("%s: an id of an item that isn't stored is sent back: %v", api, body)
		}
	}
}

func TestToolArgumentsThatAreNoJSONAreSentBackAsAnEmptyObject(t *testing.T) {
	t.Parallel()
	s := newToolServer(t, wireFormats[model.Chat].ends)
	m := chooseTools(t, model.Choice{Provider: model.Compatible, API: model.Chat, BaseURL: s.URL, Model: "x"}, model.HostConfig{}, nil)
	_, err := m.CallWithTools(t.Context(), model.ToolRequest{MaxTokens: 500, Messages: []model.Exchange{
		{Role: model.RoleUser, Text: "Which port?"},
		{Role: model.RoleModel, Calls: []model.ToolCall{{ID: "t1", Name: "lcm_grep", Arguments: `{"pat`}}},
		{Role: model.RoleUser, Results: []model.ToolResult{{CallID: "t1", Text: "no JSON", IsError: true}}},
	}})
	if got := field(s.bodies[0], "messages", 1, "tool_calls", 0, "function", "arguments"); err != nil || got != "{}" {
		t.Errorf("arguments %v, %v", got, err)
	}
}

func TestToolRepliesThatAreCutOff(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reply, text string
		truncated   bool
		kind        model.Kind
	}{
		"a text":               {`{"choices":[{"message":{"content":"The port is"},"finish_reason":"length"}]}`, "The port is", true, ""},
		"the arguments":        {`{"choices":[{"message":{"content":"So","tool_calls":[{"id":"t","function":{"name":"lcm_grep","arguments":"{\"pa"}}]},"finish_reason":"length"}]}`, "So", true, ""},
		"the arguments alone":  {`{"choices":[{"message":{"content":null,"tool_calls":[{"id":"t","function":{"name":"lcm_grep","arguments":"{\"pa"}}]},"finish_reason":"length"}]}`, "", false, model.KindTruncated},
		"nothing in it":        {`{"choices":[{"message":{"content":" "},"finish_reason":"stop"}]}`, "", false, model.KindEmpty},
		"a refusal":            {`{"choices":[{"message":{"content":"","refusal":"I won't."},"finish_reason":"stop"}]}`, "", false, model.KindRefused},
		"a stop without calls": {`{"choices":[{"message":{"content":"Done."},"finish_reason":"tool_calls"}]}`, "Done.", false, ""},
	} {
		s := newToolServer(t, c.reply)
		m := chooseTools(t, model.Choice{Provider: model.Compatible, API: model.Chat, BaseURL: s.URL, Model: "x"}, model.HostConfig{}, nil)
		got, err := m.CallWithTools(t.Context(), model.ToolRequest{MaxTokens: 500, Messages: []model.Exchange{{Role: model.RoleUser, Text: "Which port?"}}})
		var e *model.Error
		if c.kind != "" {
			if !errors.As(err, &e) || e.Kind != c.kind {
				t.Errorf("%s: %v, want kind %s", name, err, c.kind)
			}
			continue
		}
		if err != nil || got.Message.Text != c.text || got.Truncated != c.truncated || len(got.Message.Calls) > 0 {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestToolModelRetriesAndFallsBack(t *testing.T) {
	t.Parallel()
	good := wireFormats[model.Chat].ends
	first := newToolServer(t, "status 503", "status 401", good)
	second := newToolServer(t, good, good)
	host := model.HostConfig{
		Provider: "one", Model: "x", Fallbacks: []string{"two/y"},
		Endpoints: map[string]model.Endpoint{"one": {BaseURL: first.URL}, "two": {BaseURL: second.URL}},
	}
	spending := summarize.NewSpending(3, 0) // One of the first model, two of the second.
	m := chooseTools(t, model.Choice{}, host, spending)
	r := model.ToolRequest{MaxTokens: 500, Messages: []model.Exchange{{Role: model.RoleUser, Text: "Which port?"}}}
	for i := range 2 { // The second time the first model isn't asked any more.
		got, err := m.CallWithTools(t.Context(), r)
		if err != nil || got.Model != "two/y" {
			t.Fatalf("call %d: %+v, %v", i+1, got, err)
		}
	}
	if len(first.bodies) != 2 || len(second.bodies) != 2 {
		t.Errorf("%d and %d requests, want 2 and 2", len(first.bodies), len(second.bodies))
	}
	if _, err := m.CallWithTools(t.Context(), r); !errors.Is(err, summarize.ErrLimit) {
		t.Errorf("a call beyond the limit: %v", err)
	}
}

func TestToolModelStopsSoonWhenCancelled(t *testing.T) {
	t.Parallel()
	s := newToolServer(t) // It never answers.
	m := chooseTools(t, model.Choice{Provider: model.Compatible, API: model.Messages, BaseURL: s.URL, Model: "x"}, model.HostConfig{}, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := m.CallWithTools(ctx, model.ToolRequest{MaxTokens: 500, Messages: []model.Exchange{{Role: model.RoleUser, Text: "Which port?"}}})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want that the time is over", err)
	}
}

func TestToolModelIsOneOverHTTP(t *testing.T) {
	t.Parallel()
	for _, provider := range []string{model.Extractive, model.Exec} {
		c := model.Choice{Provider: provider}
		if provider == model.Exec {
			c.Exec = "cat"
		}
		if _, err := model.ChooseToolModel(c, env{"PATH": "/bin:/usr/bin"}.get, model.HostConfig{}, nil); err == nil {
			t.Errorf("the provider %s was taken for one that calls tools", provider)
		}
	}
}
