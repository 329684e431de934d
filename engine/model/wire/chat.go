package wire

import (
	"context"
	"encoding/json"
	"strings"

	"lcm-tui/engine/model"
)

// chat asks in the format of OpenAI's chat completions.
type chat struct{ *httpClient }

type chatRequest struct {
	Model               string        `json:"model"`
	Messages            []chatMessage `json:"messages"`
	Tools               []chatTool    `json:"tools,omitempty"`
	ToolChoice          string        `json:"tool_choice,omitempty"`
	MaxTokens           int           `json:"max_tokens,omitempty"`
	MaxCompletionTokens int           `json:"max_completion_tokens,omitempty"`
	Stream              bool          `json:"stream"`
}

type chatTool struct {
	Type     string       `json:"type"`
	Function chatFunction `json:"function"`
}

type chatFunction struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

type chatMessage struct {
	Role    string     `json:"role"`
	Content *string    `json:"content"`
	Calls   []chatCall `json:"tool_calls,omitempty"`
	CallID  string     `json:"tool_call_id,omitempty"`
}

type chatCall struct {
	ID       string           `json:"id"`
	Type     string           `json:"type"`
	Function chatCallFunction `json:"function"`
}

type chatCallFunction struct {
	Name      string       `json:"name"`
	Arguments stringOrJSON `json:"arguments"`
}

type chatReply struct {
	Choices []struct {
		// Reasoning has fields of its own here, which are not read.
		Message struct {
			Content  parts             `json:"content"`
			Refusal  string            `json:"refusal"`
			Calls    []json.RawMessage `json:"tool_calls"`
			Function json.RawMessage   `json:"function_call"`
		} `json:"message"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Usage struct {
		In  model.Tokens `json:"prompt_tokens"`
		Out model.Tokens `json:"completion_tokens"`
	} `json:"usage"`
}

// parts is a text, or a list of which only the texts count.
type parts string

// UnmarshalJSON takes a string, null, or a list of typed parts.
func (p *parts) UnmarshalJSON(b []byte) error {
	var text *string
	if json.Unmarshal(b, &text) == nil {
		if text != nil {
			*p = parts(*text)
		}
		return nil
	}
	var list []struct{ Type, Text string }
	if err := json.Unmarshal(b, &list); err != nil {
		return err
	}
	for _, l := range list {
		if l.Type == "text" || l.Type == "output_text" {
			*p += parts(l.Text)
		}
	}
	return nil
}

// stringOrJSON is a text that some servers send as the JSON that it should hold.
type stringOrJSON string

// UnmarshalJSON takes a string as it is, and of anything else its JSON.
func (s *stringOrJSON) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) != nil {
		text = string(b)
	}
	*s = stringOrJSON(text)
	return nil
}

// ask sends a request and reads the first of its choices.
func (c chat) ask(ctx context.Context, r model.ToolRequest) (answer, error) {
	var reply chatReply
	if err := c.post(ctx, endpoint(c.server.BaseURL, "/chat/completions"), c.request(r), &reply); err != nil {
		return answer{}, err
	}
	got := answer{in: int64(reply.Usage.In), out: int64(reply.Usage.Out)}
	if len(reply.Choices) == 0 {
		return got, c.malformed("it holds no choices")
	}
	m := reply.Choices[0].Message
	got.text, got.refusal, got.reason = string(m.Content), strings.TrimSpace(m.Refusal), reply.Choices[0].FinishReason
	got.called = len(m.Calls) > 0 || len(m.Function) > 0 && string(m.Function) != "null"
	for _, raw := range m.Calls {
		var call chatCall
		if err := json.Unmarshal(raw, &call); err != nil && len(r.Tools) > 0 {
			return got, c.malformed(err.Error())
		}
		got.calls = append(got.calls, model.ToolCall{ID: call.ID, Name: call.Function.Name, Arguments: string(call.Function.Arguments)})
	}
	return got, nil
}

func (c chat) request(r model.ToolRequest) chatRequest {
	q := chatRequest{Model: c.server.Model, MaxTokens: r.MaxTokens}
	if c.server.OpenAI {
		q.MaxTokens, q.MaxCompletionTokens = 0, r.MaxTokens
	}
	for _, t := range r.Tools {
		q.Tools = append(q.Tools, chatTool{"function", chatFunction(t)})
	}
	if r.NoCalls && len(r.Tools) > 0 {
		q.ToolChoice = "none"
	}
	if r.System != "" {
		q.Messages = append(q.Messages, chatMessage{Role: "system", Content: &r.System})
	}
	for _, e := range r.Messages {
		q.Messages = append(q.Messages, chatMessages(e)...)
	}
	return q
}

// chatMessages returns one message, or one for each result of a call.
func chatMessages(e model.Exchange) (out []chatMessage) {
	for _, result := range e.Results {
		out = append(out, chatMessage{Role: "tool", CallID: result.CallID, Content: &result.Text})
	}
	if e.Role == model.RoleModel {
		m := chatMessage{Role: "assistant"}
		if e.Text != "" {
			m.Content = &e.Text
		}
		for _, c := range e.Calls {
			m.Calls = append(m.Calls, chatCall{c.ID, "function", chatCallFunction{c.Name, stringOrJSON(c.Object())}})
		}
		return append(out, m)
	}
	if e.Text != "" {
		out = append(out, chatMessage{Role: "user", Content: &e.Text})
	}
	return out
}
