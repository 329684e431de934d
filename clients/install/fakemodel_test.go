package install_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// toolCall is a call that a scripted model makes.
type toolCall struct {
	tool      string
	arguments string // JSON.
}

// fakeModel is a model that makes the calls of a script, one in each turn, and notes what the
// client gave it as their results.
type fakeModel struct {
	calls []toolCall

	mu      sync.Mutex
	results map[int]string
	asked   []string // The bodies of all requests.
}

// requests returns the bodies of the requests since the first n.
func (m *fakeModel) requests(n int) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.asked[n:])
}

// result returns the text that the model got for a call.
func (m *fakeModel) result(call int) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.results[call]
}

// callID returns the id by which the result of a call is found.
func callID(call int) string { return fmt.Sprintf("toolu_lcm%d", call) }

// serve answers requests on loopback. next reads a request: which results are in it, and
// whether it is one that may call tools; answer writes a call, or the end for nil.
func (m *fakeModel) serve(t *testing.T, path string, next func(body []byte) (results map[string]string, hasTools bool), answer func(w io.Writer, id string, c *toolCall)) (url string) {
	t.Helper()
	m.results = map[int]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || !strings.HasSuffix(r.URL.Path, path) {
			http.NotFound(w, r)
			return
		}
		results, hasTools := next(body)
		m.mu.Lock()
		defer m.mu.Unlock()
		m.asked = append(m.asked, string(body))
		for i := range m.calls {
			if text, ok := results[callID(i)]; ok {
				m.results[i] = text
			}
		}
		w.Header().Set("Content-Type", "text/event-stream")
		if call := len(results); hasTools && call < len(m.calls) {
			answer(w, callID(call), &m.calls[call])
			return
		}
		answer(w, "", nil)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// event writes one event of a stream.
func event(w io.Writer, name string, members map[string]any) {
	members["type"] = name
	b, err := json.Marshal(members)
	if err != nil {
		panic(err) // The tests make them up.
	}
	fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, b)
}

// text returns the text of a content, which is one or a list of parts.
func text(content json.RawMessage) string {
	var one string
	if json.Unmarshal(content, &one) == nil {
		return one
	}
	var parts []struct{ Text string }
	if json.Unmarshal(content, &parts) != nil {
		return string(content)
	}
	for _, p := range parts {
		one += p.Text
	}
	return one
}

// serveMessages answers as the Messages API of Anthropic does.
func (m *fakeModel) serveMessages(t *testing.T) (url string) {
	t.Helper()
	return m.serve(t, "/v1/messages", func(body []byte) (map[string]string, bool) {
		var q struct {
			Tools    []json.RawMessage
			Messages []struct{ Content json.RawMessage }
		}
		results := map[string]string{}
		if err := json.Unmarshal(body, &q); err != nil {
			return results, false
		}
		for _, message := range q.Messages {
			var parts []struct {
				Type    string
				ID      string `json:"tool_use_id"`
				Content json.RawMessage
			}
			_ = json.Unmarshal(message.Content, &parts) // Or it is a text.
			for _, p := range parts {
				if p.Type == "tool_result" {
					results[p.ID] = text(p.Content)
				}
			}
		}
		return results, len(q.Tools) > 0
	}, func(w io.Writer, id string, c *toolCall) {
		stop, block, delta := "end_turn", map[string]any{"type": "text", "text": ""}, map[string]any{"type": "text_delta", "text": "That is all."}
		if c != nil {
			stop = "tool_use"
			block = map[string]any{"type": "tool_use", "id": id, "name": "mcp__lcm__" + c.tool, "input": map[string]any{}}
			delta = map[string]any{"type": "input_json_delta", "partial_json": c.arguments}
		}
		event(w, "message_start", map[string]any{"message": map[string]any{
			"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-fake", "content": []any{}, "usage": map[string]int{"input_tokens": 1, "output_tokens": 1},
		}})
		event(w, "content_block_start", map[string]any{"index": 0, "content_block": block})
		event(w, "content_block_delta", map[string]any{"index": 0, "delta": delta})
		event(w, "content_block_stop", map[string]any{"index": 0})
		event(w, "message_delta", map[string]any{"delta": map[string]string{"stop_reason": stop}, "usage": map[string]int{"output_tokens": 1}})
		event(w, "message_stop", map[string]any{})
	})
}

// serveResponses answers as the Responses API of OpenAI does.
func (m *fakeModel) serveResponses(t *testing.T) (url string) {
	t.Helper()
	return m.serve(t, "/v1/responses", func(body []byte) (map[string]string, bool) {
		var q struct {
			Tools []json.RawMessage
			Input []struct {
				Type   string
				ID     string `json:"call_id"`
				Output json.RawMessage
			}
		}
		results := map[string]string{}
		if err := json.Unmarshal(body, &q); err != nil {
			return results, false
		}
		for _, item := range q.Input {
			if item.Type == "function_call_output" {
				results[item.ID] = text(item.Output)
			}
		}
		return results, len(q.Tools) > 0
	}, func(w io.Writer, id string, c *toolCall) {
		item := map[string]any{"type": "message", "role": "assistant", "content": []any{map[string]string{"type": "output_text", "text": "That is all."}}}
		if c != nil {
			item = map[string]any{"type": "function_call", "call_id": id, "namespace": "mcp__lcm", "name": c.tool, "arguments": c.arguments}
		}
		event(w, "response.created", map[string]any{"response": map[string]any{"id": "resp_1"}})
		event(w, "response.output_item.done", map[string]any{"output_index": 0, "item": item})
		event(w, "response.completed", map[string]any{"response": map[string]any{
			"id": "resp_1", "usage": map[string]any{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2, "input_tokens_details": nil, "output_tokens_details": nil},
		}})
	})
}

// serveGemini answers as the API of Gemini does.
func (m *fakeModel) serveGemini(t *testing.T) (url string) {
	t.Helper()
	return m.serve(t, ":streamGenerateContent", func(body []byte) (map[string]string, bool) {
		var q struct {
			Tools    []json.RawMessage
			Contents []struct {
				Parts []struct {
					FunctionResponse *struct {
						ID       string
						Response json.RawMessage
					}
				}
			}
		}
		results := map[string]string{}
		if err := json.Unmarshal(body, &q); err != nil {
			return results, false
		}
		for _, c := range q.Contents {
			for _, p := range c.Parts {
				if p.FunctionResponse != nil {
					results[p.FunctionResponse.ID] = string(p.FunctionResponse.Response)
				}
			}
		}
		return results, len(q.Tools) > 0
	}, func(w io.Writer, id string, c *toolCall) {
		part := map[string]any{"text": "That is all."}
		if c != nil {
			part = map[string]any{"functionCall": map[string]any{"id": id, "name": "mcp_lcm_" + c.tool, "args": json.RawMessage(c.arguments)}}
		}
		b, err := json.Marshal(map[string]any{
			"candidates":    []any{map[string]any{"content": map[string]any{"role": "model", "parts": []any{part}}, "finishReason": "STOP", "index": 0}},
			"usageMetadata": map[string]int{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
		})
		if err != nil {
			panic(err) // The tests make them up.
		}
		fmt.Fprintf(w, "data: %s\r\n\r\n", b)
	})
}
