package wire

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"lcm-tui/engine/model"
)

// responses asks in OpenAI's Responses format.
type responses struct{ *httpClient }

type responsesRequest struct {
	Model           string          `json:"model"`
	Instructions    string          `json:"instructions,omitempty"`
	Input           []any           `json:"input"` // Of the types of items below.
	Tools           []responsesTool `json:"tools,omitempty"`
	ToolChoice      string          `json:"tool_choice,omitempty"`
	MaxOutputTokens int             `json:"max_output_tokens"`
	Store           bool            `json:"store"` // The vendor needn't keep it.
}

type responsesMessage struct {
	Role    string          `json:"role"`
	Content []responsesText `json:"content"`
}

type responsesText struct {
	Type string `json:"type"`
	Text string `json:"text"`
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

type responsesTool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

type responsesReply struct {
	Status     string `json:"status"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	// Output holds messages and, in items and parts of other types, reasoning and calls of tools.
	Output []struct {
		Type      string `json:"type"`
		CallID    string `json:"call_id"`
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
		Content   []struct {
			Type    string `json:"type"`
			Text    string `json:"text"`
			Refusal string `json:"refusal"`
		} `json:"content"`
	} `json:"output"`
	Usage struct {
		In  model.Tokens `json:"input_tokens"`
		Out model.Tokens `json:"output_tokens"`
	} `json:"usage"`
}

// ask sends a request and reads the items of its answer.
func (s responses) ask(ctx context.Context, r model.ToolRequest) (answer, error) {
	var reply responsesReply
	if err := s.post(ctx, endpoint(s.server.BaseURL, "/responses"), s.request(r), &reply); err != nil {
		return answer{}, err
	}
	got := answer{reason: reply.Status, in: int64(reply.Usage.In), out: int64(reply.Usage.Out)}
	if reply.Status == "incomplete" {
		got.reason = cmp.Or(reply.Incomplete.Reason, reply.Status)
	}
	for _, item := range reply.Output {
		got.called = got.called || strings.HasSuffix(item.Type, "_call")
		switch item.Type {
		case "message":
			for _, part := range item.Content {
				if part.Type == "output_text" {
					got.text += part.Text
				}
				got.refusal = cmp.Or(got.refusal, part.Refusal)
			}
		case "function_call":
			got.calls = append(got.calls, model.ToolCall{ID: item.CallID, Name: item.Name, Arguments: item.Arguments})
		}
	}
	return got, nil
}

func (s responses) request(r model.ToolRequest) responsesRequest {
	q := responsesRequest{Model: s.server.Model, Instructions: r.System, MaxOutputTokens: r.MaxTokens}
	for _, t := range r.Tools {
		q.Tools = append(q.Tools, responsesTool{"function", t.Name, t.Description, t.Parameters})
	}
	if r.NoCalls && len(r.Tools) > 0 {
		q.ToolChoice = "none"
	}
	for _, e := range r.Messages {
		q.Input = append(q.Input, responsesItems(e)...)
	}
	return q
}

// responsesItems returns the items of one message. Reasoning and the ids of items are left out: the
// server stores nothing (Store), and refuses an id that it doesn't know.
func responsesItems(e model.Exchange) (out []any) {
	for _, result := range e.Results {
		out = append(out, responsesResult{"function_call_output", result.CallID, result.Text})
	}
	role, kind := "user", "input_text"
	if e.Role == model.RoleModel {
		role, kind = "assistant", "output_text"
	}
	if e.Text != "" {
		out = append(out, responsesMessage{role, []responsesText{{kind, e.Text}}})
	}
	for _, c := range e.Calls {
		out = append(out, responsesCall{"function_call", c.ID, c.Name, string(c.Object())})
	}
	return out
}
