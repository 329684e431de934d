package model

import (
	"context"
	"encoding/json"
	"strings"
)

// responsesToolRequest is a request of the Responses format with tools.
type responsesToolRequest struct {
	Model           string          `json:"model"`
	Instructions    string          `json:"instructions,omitempty"`
	Input           []any           `json:"input"`
	Tools           []responsesTool `json:"tools,omitempty"`
	ToolChoice      string          `json:"tool_choice,omitempty"`
	MaxOutputTokens int             `json:"max_output_tokens"`
	Store           bool            `json:"store"`
}

type responsesTool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

type responsesCall struct {
	Type      string `json:"type"`
	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type responsesResult struct {
	Type   string `json:"type"`
	CallID string `json:"call_id"`
	Output string `json:"output"`
}

// callWithTools asks in OpenAI's Responses format.
func (s responses) callWithTools(ctx context.Context, r ToolRequest) (ToolReply, error) {
	var answer responsesReply
	if err := s.wire.post(ctx, s.url, s.toolRequest(r), &answer); err != nil {
		return ToolReply{}, err
	}
	reply := ToolReply{InputTokens: answer.Usage.In, OutputTokens: answer.Usage.Out}
	text, refusal := answer.text()
	reply.Message.Text = text
	if refusal != "" {
		return reply, &Error{Kind: KindRefused, Provider: s.wire.provider, Message: s.wire.shorten(refusal)}
	}
	for _, item := range answer.Output {
		if item.Type == "function_call" {
			reply.Message.Calls = append(reply.Message.Calls, ToolCall{ID: item.CallID, Name: item.Name, Arguments: item.Arguments})
		}
	}
	return endOfTurn(s.wire.provider, strings.ToLower(answer.reason()), reply)
}

func (s responses) toolRequest(r ToolRequest) responsesToolRequest {
	q := responsesToolRequest{Model: s.model, Instructions: r.System, MaxOutputTokens: r.MaxTokens}
	for _, t := range r.Tools {
		q.Tools = append(q.Tools, responsesTool{"function", t.Name, t.Description, t.Parameters})
	}
	if r.NoCalls && len(r.Tools) > 0 {
		q.ToolChoice = "none"
	}
	for _, e := range r.Messages {
		q.Input = append(q.Input, responsesExchange(e)...)
	}
	return q
}

// responsesExchange is the items of one message. Reasoning and the ids of items are left out: the
// server stores nothing (Store), and refuses an id that it doesn't know.
func responsesExchange(e Exchange) (out []any) {
	for _, result := range e.Results {
		out = append(out, responsesResult{"function_call_output", result.CallID, result.Text})
	}
	role, kind := "user", "input_text"
	if e.Role == RoleModel {
		role, kind = "assistant", "output_text"
	}
	if e.Text != "" {
		out = append(out, responsesInput{role, []responsesText{{kind, e.Text}}})
	}
	for _, c := range e.Calls {
		out = append(out, responsesCall{"function_call", c.ID, c.Name, string(c.arguments())})
	}
	return out
}
