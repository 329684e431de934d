package model

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"lcm-tui/engine/summarize"
)

// messages asks in the Messages format: Anthropic, and those who speak it too. The vendor's own library
// would be a sixteenth of the whole program for this one request.
type messages struct {
	wire       *httpClient
	url, model string
	bearer     bool // The key is a bearer's.
}

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

type messagesReply struct {
	// Content holds texts and, in blocks of other types, reasoning and calls of tools, which are no
	// summary.
	Content []struct {
		Type  string          `json:"type"`
		Text  string          `json:"text"`
		ID    string          `json:"id"`
		Name  string          `json:"name"`
		Input json.RawMessage `json:"input"`
	} `json:"content"`
	StopReason string `json:"stop_reason"`
	Usage      struct {
		In           int64 `json:"input_tokens"`
		CacheCreated int64 `json:"cache_creation_input_tokens"`
		CacheRead    int64 `json:"cache_read_input_tokens"`
		Out          int64 `json:"output_tokens"`
	} `json:"usage"`
}

func newMessages(w *httpClient, r Resolved) messages {
	return messages{wire: w, url: root(r.BaseURL) + "/v1/messages", model: r.Model, bearer: r.bearer}
}

// root is a base URL without the path of a call.
func root(base string) string {
	base = strings.TrimSuffix(strings.TrimRight(base, "/"), "/messages")
	return strings.TrimSuffix(base, "/v1")
}

// messagesSystem is the system prompt, or nothing.
func messagesSystem(text string) []messagesText {
	if text == "" {
		return nil
	}
	return []messagesText{{"text", text}}
}

// post sends a request. The key has a header of its own, unless it is a bearer's.
func (m messages) post(ctx context.Context, q messagesRequest) (reply messagesReply, err error) {
	header := http.Header{}
	switch {
	case m.bearer:
		header = m.wire.bearer()
	case m.wire.key.Set():
		header.Set("X-Api-Key", m.wire.key.reveal())
	}
	header.Set("Anthropic-Version", messagesVersion)
	err = m.wire.postWith(ctx, m.url, header, q, &reply)
	return reply, err
}

func (m messages) call(ctx context.Context, r summarize.Request) (answer, error) {
	reply, err := m.post(ctx, messagesRequest{
		Model: m.model, MaxTokens: r.MaxTokens, System: messagesSystem(r.System),
		Messages: []messagesTurn{{string(RoleUser), []any{messagesText{"text", r.Prompt}}}},
	})
	if err != nil {
		return answer{}, err
	}
	got, calls := answer{in: reply.tokensIn(), out: reply.Usage.Out}, false
	for _, block := range reply.Content {
		if block.Type == "text" { // Thinking is no summary.
			got.text += block.Text
		}
		calls = calls || strings.HasSuffix(block.Type, "tool_use")
	}
	return got, stopError(m.wire.provider, reply.StopReason, got.text, calls)
}

// tokensIn counts all that was read, also from a cache.
func (p messagesReply) tokensIn() int64 { return p.Usage.In + p.Usage.CacheCreated + p.Usage.CacheRead }
