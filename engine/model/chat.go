package model

import (
	"context"
	"encoding/json"
	"strings"

	"lcm-tui/engine/summarize"
)

// chat asks in the format of OpenAI's chat completions, which every compatible
// server has.
type chat struct {
	wire       *httpClient
	url, model string
	openai     bool // OpenAI itself has another name for the limit than the servers after it.
}

type chatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type chatRequest struct {
	Model               string        `json:"model"`
	Messages            []chatMessage `json:"messages"`
	MaxTokens           int           `json:"max_tokens,omitempty"`
	MaxCompletionTokens int           `json:"max_completion_tokens,omitempty"`
	Stream              bool          `json:"stream"`
}

type chatReply struct {
	Choices []struct {
		// Reasoning has fields of its own here, which are not read.
		Message struct {
			Content  parts             `json:"content"`
			Refusal  string            `json:"refusal"`
			Tools    []json.RawMessage `json:"tool_calls"`
			Function json.RawMessage   `json:"function_call"`
		} `json:"message"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Usage struct {
		In  int64 `json:"prompt_tokens"`
		Out int64 `json:"completion_tokens"`
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

func (c chat) call(ctx context.Context, r summarize.Request) (answer, error) {
	var reply chatReply
	if err := c.wire.post(ctx, c.url, c.request(r), &reply); err != nil {
		return answer{}, err
	}
	got := answer{in: reply.Usage.In, out: reply.Usage.Out}
	if len(reply.Choices) == 0 {
		return got, c.wire.malformed("it holds no choices")
	}
	first := reply.Choices[0]
	got.text = string(first.Message.Content)
	if refusal := strings.TrimSpace(first.Message.Refusal); refusal != "" {
		return got, &Error{Kind: KindRefused, Provider: c.wire.provider, Message: c.wire.shorten(refusal)}
	}
	calls := len(first.Message.Tools) > 0 || len(first.Message.Function) > 0 && string(first.Message.Function) != "null"
	return got, stopError(c.wire.provider, first.FinishReason, got.text, calls)
}

func (c chat) request(r summarize.Request) chatRequest {
	q := chatRequest{Model: c.model, MaxTokens: r.MaxTokens}
	if c.openai {
		q.MaxTokens, q.MaxCompletionTokens = 0, r.MaxTokens
	}
	if r.System != "" {
		q.Messages = append(q.Messages, chatMessage{"system", r.System})
	}
	q.Messages = append(q.Messages, chatMessage{"user", r.Prompt})
	return q
}
