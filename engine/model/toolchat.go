package model

import (
	"context"
	"encoding/json"
	"strings"
)

// chatToolRequest is a request of chat completions with tools.
type chatToolRequest struct {
	Model               string            `json:"model"`
	Messages            []chatToolMessage `json:"messages"`
	Tools               []chatTool        `json:"tools,omitempty"`
	ToolChoice          string            `json:"tool_choice,omitempty"`
	MaxTokens           int               `json:"max_tokens,omitempty"`
	MaxCompletionTokens int               `json:"max_completion_tokens,omitempty"`
	Stream              bool              `json:"stream"`
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

type chatToolMessage struct {
	Role    string         `json:"role"`
	Content *string        `json:"content"`
	Calls   []chatToolCall `json:"tool_calls,omitempty"`
	CallID  string         `json:"tool_call_id,omitempty"`
}

type chatToolCall struct {
	ID       string           `json:"id"`
	Type     string           `json:"type"`
	Function chatCallFunction `json:"function"`
}

type chatCallFunction struct {
	Name      string       `json:"name"`
	Arguments stringOrJSON `json:"arguments"`
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

// callWithTools asks in the format of chat completions.
func (c chat) callWithTools(ctx context.Context, r ToolRequest) (ToolReply, error) {
	var answer struct {
		Choices []struct {
			Message struct {
				Content parts          `json:"content"`
				Refusal string         `json:"refusal"`
				Calls   []chatToolCall `json:"tool_calls"`
			} `json:"message"`
			FinishReason string `json:"finish_reason"`
		} `json:"choices"`
		Usage struct {
			In  int64 `json:"prompt_tokens"`
			Out int64 `json:"completion_tokens"`
		} `json:"usage"`
	}
	if err := c.wire.post(ctx, c.url, c.toolRequest(r), &answer); err != nil {
		return ToolReply{}, err
	}
	reply := ToolReply{InputTokens: answer.Usage.In, OutputTokens: answer.Usage.Out}
	if len(answer.Choices) == 0 {
		return reply, c.wire.malformed("it holds no choices")
	}
	first := answer.Choices[0]
	if refusal := strings.TrimSpace(first.Message.Refusal); refusal != "" {
		return reply, &Error{Kind: KindRefused, Provider: c.wire.provider, Message: c.wire.shorten(refusal)}
	}
	reply.Message.Text = string(first.Message.Content)
	for _, call := range first.Message.Calls {
		reply.Message.Calls = append(reply.Message.Calls, ToolCall{ID: call.ID, Name: call.Function.Name, Arguments: string(call.Function.Arguments)})
	}
	return endOfTurn(c.wire.provider, strings.ToLower(first.FinishReason), reply)
}

func (c chat) toolRequest(r ToolRequest) chatToolRequest {
	q := chatToolRequest{Model: c.model, MaxTokens: r.MaxTokens}
	if c.openai {
		q.MaxTokens, q.MaxCompletionTokens = 0, r.MaxTokens
	}
	for _, t := range r.Tools {
		q.Tools = append(q.Tools, chatTool{"function", chatFunction(t)})
	}
	if r.NoCalls && len(r.Tools) > 0 {
		q.ToolChoice = "none"
	}
	if r.System != "" {
		q.Messages = append(q.Messages, chatToolMessage{Role: "system", Content: &r.System})
	}
	for _, e := range r.Messages {
		q.Messages = append(q.Messages, chatExchange(e)...)
	}
	return q
}

// chatExchange is one message, or one for each result of a call.
func chatExchange(e Exchange) (out []chatToolMessage) {
	for _, result := range e.Results {
		out = append(out, chatToolMessage{Role: "tool", CallID: result.CallID, Content: &result.Text})
	}
	if e.Role == RoleModel {
		m := chatToolMessage{Role: "assistant"}
		if e.Text != "" {
			m.Content = &e.Text
		}
		for _, c := range e.Calls {
			m.Calls = append(m.Calls, chatToolCall{c.ID, "function", chatCallFunction{c.Name, stringOrJSON(c.arguments())}})
		}
		return append(out, m)
	}
	if e.Text != "" {
		out = append(out, chatToolMessage{Role: "user", Content: &e.Text})
	}
	return out
}
