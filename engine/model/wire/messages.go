package wire

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"lcm-tui/engine/model"
)

// messages asks in the Messages format: Anthropic, and those who speak it too. The vendor's own library
// would be a sixteenth of the whole program for this one request.
type messages struct{ *httpClient }

// messagesVersion is the version of the format.
const messagesVersion = "2023-06-01"

type messagesRequest struct {
	Model      string            `json:"model"`
	MaxTokens  int               `json:"max_tokens"`
	System     []messagesText    `json:"system,omitempty"`
	Messages   []messagesTurn    `json:"messages"`
	Tools      []messagesTool    `json:"tools,omitempty"`
	ToolChoice map[string]string `json:"tool_choice,omitempty"`
}

type messagesTurn struct {
	Role    string `json:"role"`
	Content []any  `json:"content"` // Of the types of blocks below.
}

type messagesText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type messagesCall struct {
	Type  string          `json:"type"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

type messagesResult struct {
	Type    string         `json:"type"`
	CallID  string         `json:"tool_use_id"`
	Content []messagesText `json:"content"`
	IsError bool           `json:"is_error"`
}

type messagesTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"input_schema"`
}

type messagesReply struct {
	// Content holds texts and, in blocks of other types, reasoning and calls of tools.
	Content []struct {
		Type  string          `json:"type"`
		Text  string          `json:"text"`
		ID    string          `json:"id"`
		Name  string          `json:"name"`
		Input json.RawMessage `json:"input"`
	} `json:"content"`
	StopReason string `json:"stop_reason"`
	Usage      struct {
		In           model.Tokens `json:"input_tokens"`
		CacheCreated model.Tokens `json:"cache_creation_input_tokens"`
		CacheRead    model.Tokens `json:"cache_read_input_tokens"`
		Out          model.Tokens `json:"output_tokens"`
	} `json:"usage"`
}

// ask sends a request and reads the blocks of its answer.
func (m messages) ask(ctx context.Context, r model.ToolRequest) (answer, error) {
	var reply messagesReply
	if err := m.postWith(ctx, m.url(), m.header(), m.request(r), &reply); err != nil {
		return answer{}, err
	}
	u := reply.Usage
	got := answer{reason: reply.StopReason, in: int64(u.In + u.CacheCreated + u.CacheRead), out: int64(u.Out)}
	for _, block := range reply.Content {
		switch block.Type {
		case "text":
			got.text += block.Text
		case "tool_use":
			got.calls = append(got.calls, model.ToolCall{ID: block.ID, Name: block.Name, Arguments: string(block.Input)})
		}
		got.called = got.called || strings.HasSuffix(block.Type, "tool_use")
	}
	return got, nil
}

// url returns the address of a call.
func (m messages) url() string {
	base := strings.TrimSuffix(strings.TrimRight(m.server.BaseURL, "/"), "/messages")
	return strings.TrimSuffix(base, "/v1") + "/v1/messages"
}

// header returns the version and the key, which has a header of its own unless it is a bearer's.
func (m messages) header() http.Header {
	header := http.Header{}
	switch key := m.server.Key; {
	case m.server.Bearer:
		header = bearer(key)
	case key.Set():
		header.Set("X-Api-Key", key.Reveal())
	}
	header.Set("Anthropic-Version", messagesVersion)
	return header
}

func (m messages) request(r model.ToolRequest) messagesRequest {
	q := messagesRequest{Model: m.server.Model, MaxTokens: r.MaxTokens}
	if r.System != "" {
		q.System = []messagesText{{"text", r.System}}
	}
	for _, t := range r.Tools {
		q.Tools = append(q.Tools, messagesTool{t.Name, t.Description, t.Parameters})
	}
	if r.NoCalls && len(r.Tools) > 0 {
		q.ToolChoice = map[string]string{"type": "none"}
	}
	for _, e := range r.Messages {
		q.Messages = append(q.Messages, messagesTurnOf(e))
	}
	return q
}

// messagesTurnOf returns one message: results of tools come first, as the format wants it.
func messagesTurnOf(e model.Exchange) messagesTurn {
	turn := messagesTurn{Role: "user"}
	if e.Role == model.RoleModel {
		turn.Role = "assistant"
	}
	for _, result := range e.Results {
		turn.Content = append(turn.Content, messagesResult{"tool_result", result.CallID, []messagesText{{"text", result.Text}}, result.IsError})
	}
	if e.Text != "" {
		turn.Content = append(turn.Content, messagesText{"text", e.Text})
	}
	for _, c := range e.Calls {
		turn.Content = append(turn.Content, messagesCall{"tool_use", c.ID, c.Name, c.Object()})
	}
	return turn
}
