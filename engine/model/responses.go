package model

import (
	"context"
	"strings"

	"lcm-tui/engine/summarize"
)

// responses asks in OpenAI's Responses format.
type responses struct {
	wire       *httpClient
	url, model string
}

type responsesRequest struct {
	Model           string           `json:"model"`
	Instructions    string           `json:"instructions,omitempty"`
	Input           []responsesInput `json:"input"`
	MaxOutputTokens int              `json:"max_output_tokens"`
	Store           bool             `json:"store"` // The vendor needn't keep it.
}

type responsesInput struct {
	Role    string          `json:"role"`
	Content []responsesText `json:"content"`
}

type responsesText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type responsesReply struct {
	Status     string `json:"status"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	// Output holds messages and, in items and parts of other types, reasoning and
	// calls of tools, which are no summary.
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
		In  int64 `json:"input_tokens"`
		Out int64 `json:"output_tokens"`
	} `json:"usage"`
}

func (s responses) call(ctx context.Context, r summarize.Request) (answer, error) {
	var reply responsesReply
	q := responsesRequest{
		Model: s.model, Instructions: r.System, MaxOutputTokens: r.MaxTokens,
		Input: []responsesInput{{"user", []responsesText{{"input_text", r.Prompt}}}},
	}
	if err := s.wire.post(ctx, s.url, q, &reply); err != nil {
		return answer{}, err
	}
	got := answer{in: reply.Usage.In, out: reply.Usage.Out}
	text, refusal := reply.text()
	got.text = text
	if refusal != "" {
		return got, &Error{Kind: KindRefused, Provider: s.wire.provider, Message: s.wire.shorten(refusal)}
	}
	return got, stopError(s.wire.provider, reply.reason(), text, reply.calls())
}

// text is what the model says in its messages.
func (p responsesReply) text() (text, refusal string) {
	for _, item := range p.Output {
		if item.Type != "message" {
			continue
		}
		for _, part := range item.Content {
			if part.Type == "output_text" {
				text += part.Text
			}
			refusal = firstNonEmpty(refusal, part.Refusal)
		}
	}
	return text, refusal
}

// calls reports whether a tool is called.
func (p responsesReply) calls() bool {
	for _, item := range p.Output {
		if strings.HasSuffix(item.Type, "_call") {
			return true
		}
	}
	return false
}

// reason is why it stopped: the status, and of one that's incomplete its reason.
func (p responsesReply) reason() string {
	if p.Status == "incomplete" {
		return firstNonEmpty(p.Incomplete.Reason, p.Status)
	}
	return p.Status
}
