package wire_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/engine/model"
	"lcm-tui/engine/model/retry"
	"lcm-tui/engine/model/wire"
	"lcm-tui/internal/fakevendor"
)

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

// withTools makes a model with tools of a server.
func withTools(api wire.API, base string) model.ToolModel {
	s := wire.Server{Provider: "compatible", Model: "x", API: api, BaseURL: base}
	return retry.Tools(wire.New(s), options(s), nil)
}

var grepTool = model.Tool{
	Name: "lcm_grep", Description: "Finds texts.",
	Parameters: json.RawMessage(`{"type":"object","properties":{"pattern":{"type":"string"}},"required":["pattern"]}`),
}

// wireFormats are a reply that calls a tool twice and one that ends, in each format, and where a
// request has what the second request has to say.
var wireFormats = map[wire.API]struct {
	calls, ends                    string
	toolName, secondID, secondText []any
	arguments                      []any
}{
	wire.Messages: {
		`{"content":[{"type":"text","text":"Let me see."},{"type":"tool_use","id":"t1","name":"lcm_grep","input":{"pattern":"a"}},{"type":"tool_use","id":"t2","name":"lcm_grep","input":{"pattern":"b"}}],"stop_reason":"tool_use","usage":{"input_tokens":10,"output_tokens":5}}`,
		`{"content":[{"type":"text","text":"Done."}],"stop_reason":"end_turn","usage":{"input_tokens":20,"output_tokens":2}}`,
		[]any{"tools", 0, "name"},
		[]any{"messages", 2, "content", 1, "tool_use_id"},
		[]any{"messages", 2, "content", 1, "content", 0, "text"},
		[]any{"messages", 1, "content", 2, "input", "pattern"},
	},
	wire.Chat: {
		`{"choices":[{"message":{"content":"Let me see.","tool_calls":[{"id":"t1","type":"function","function":{"name":"lcm_grep","arguments":"{\"pattern\":\"a\"}"}},{"id":"t2","type":"function","function":{"name":"lcm_grep","arguments":{"pattern":"b"}}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":10,"completion_tokens":5}}`,
		`{"choices":[{"message":{"content":"Done."},"finish_reason":"stop"}],"usage":{"prompt_tokens":20,"completion_tokens":2}}`,
		[]any{"tools", 0, "function", "name"},
		[]any{"messages", 4, "tool_call_id"},
		[]any{"messages", 4, "content"},
		[]any{"messages", 2, "tool_calls", 1, "function", "arguments"},
	},
	wire.Responses: {
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
		s := fakevendor.NewScript(t, f.calls, f.ends)
		m := withTools(api, s.URL)
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
		body := s.Bodies()[1]
		got := []any{field(body, f.toolName...), field(body, f.secondID...), field(body, f.secondText...), field(body, f.arguments...)}
		want := []any{"lcm_grep", "t2", "two", `{"pattern":"b"}`}
		if api == wire.Messages {
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
	s := fakevendor.NewScript(t, wireFormats[wire.Chat].ends)
	m := withTools(wire.Chat, s.URL)
	_, err := m.CallWithTools(t.Context(), model.ToolRequest{MaxTokens: 500, Messages: []model.Exchange{
		{Role: model.RoleUser, Text: "Which port?"},
		{Role: model.RoleModel, Calls: []model.ToolCall{{ID: "t1", Name: "lcm_grep", Arguments: `{"pat`}}},
		{Role: model.RoleUser, Results: []model.ToolResult{{CallID: "t1", Text: "no JSON", IsError: true}}},
	}})
	if got := field(s.Bodies()[0], "messages", 1, "tool_calls", 0, "function", "arguments"); err != nil || got != "{}" {
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
		s := fakevendor.NewScript(t, c.reply)
		m := withTools(wire.Chat, s.URL)
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

func TestToolModelStopsSoonWhenCancelled(t *testing.T) {
	t.Parallel()
	s := fakevendor.NewScript(t) // It never answers.
	m := withTools(wire.Messages, s.URL)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := m.CallWithTools(ctx, model.ToolRequest{MaxTokens: 500, Messages: []model.Exchange{{Role: model.RoleUser, Text: "Which port?"}}})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want that the time is over", err)
	}
}
