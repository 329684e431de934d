package model

import (
	"context"
	"errors"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"lcm-tui/engine/summarize"
)

// messages asks in the Messages format: Anthropic, and those who speak it too.
type messages struct {
	wire   *httpClient
	client anthropic.MessageService
	model  string
}

// newMessages makes the client of the official SDK, without its retries and
// without what it would take from the environment.
func newMessages(w *httpClient, r Resolved) messages {
	options := []option.RequestOption{option.WithBaseURL(root(r.BaseURL)), option.WithHTTPClient(w), option.WithMaxRetries(0)}
	switch {
	case r.Key.Set() && r.bearer:
		options = append(options, option.WithAuthToken(r.Key.reveal()))
	case r.Key.Set():
		options = append(options, option.WithAPIKey(r.Key.reveal()))
	}
	return messages{wire: w, model: r.Model, client: anthropic.NewMessageService(options...)}
}

// root is a base URL without what the SDK puts after it.
func root(base string) string {
	base = strings.TrimSuffix(strings.TrimRight(base, "/"), "/messages")
	return strings.TrimSuffix(base, "/v1")
}

func (m messages) call(ctx context.Context, r summarize.Request) (answer, error) {
	params := anthropic.MessageNewParams{
		Model: m.model, MaxTokens: int64(r.MaxTokens),
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(r.Prompt))},
	}
	if r.System != "" {
		params.System = []anthropic.TextBlockParam{{Text: r.System}}
	}
	// A time limit of its own keeps the SDK from refusing long answers; ours is
	// that of ctx.
	msg, err := m.client.New(ctx, params, option.WithRequestTimeout(longest))
	if err != nil {
		return answer{}, m.failed(ctx, err)
	}
	got := answer{
		in:  msg.Usage.InputTokens + msg.Usage.CacheCreationInputTokens + msg.Usage.CacheReadInputTokens,
		out: msg.Usage.OutputTokens,
	}
	calls := false
	for _, block := range msg.Content {
		if block.Type == "text" { // Thinking is no summary.
			got.text += block.Text
		}
		calls = calls || strings.HasSuffix(block.Type, "tool_use")
	}
	return got, stopError(m.wire.provider, string(msg.StopReason), got.text, calls)
}

// failed leaves the errors of the wire and of a context as they are. Another is
// the SDK's own, of an answer that it can't decode.
func (m messages) failed(ctx context.Context, err error) error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return m.wire.malformed(err.Error())
}
