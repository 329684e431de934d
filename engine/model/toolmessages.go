package model

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
)

type messagesTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"input_schema"`
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

// callWithTools asks in Anthropic's Messages format.
func (m messages) callWithTools(ctx context.Context, r ToolRequest) (ToolReply, error) {
	q := messagesRequest{Model: m.model, MaxTokens: r.MaxTokens, System: messagesSystem(r.System)}
	for _, t := range r.Tools {
		q.Tools = append(q.Tools, messagesTool{t.Name, t.Description, t.Parameters})
	}
	if r.NoCalls && len(r.Tools) > 0 {
		q.ToolChoice = map[string]string{"type": "none"}
	}
	for _, e := range r.Messages {
		q.Messages = append(q.Messages, messagesExchange(e))
	}
	answer, err := m.post(ctx, q)
	if err != nil {
		return ToolReply{}, err
	}
	reply := ToolReply{InputTokens: answer.tokensIn(), OutputTokens: answer.Usage.Out}
	for _, block := range answer.Content {
		switch block.Type {
		case "text":
			reply.Message.Text += block.Text
		case "tool_use":
			reply.Message.Calls = append(reply.Message.Calls, ToolCall{ID: block.ID, Name: block.Name, Arguments: string(block.Input)})
		}
	}
	return endOfTurn(m.wire.provider, answer.StopReason, reply)
}

// messagesExchange is one message: results of tools come first, as the format wants it.
func messagesExchange(e Exchange) messagesTurn {
	turn := messagesTurn{Role: string(RoleUser)}
	if e.Role == RoleModel {
		turn.Role = "assistant"
	}
	for _, result := range e.Results {
		turn.Content = append(turn.Content, messagesResult{"tool_result", result.CallID, []messagesText{{"text", result.Text}}, result.IsError})
	}
	if e.Text != "" {
		turn.Content = append(turn.Content, messagesText{"text", e.Text})
	}
	for _, c := range e.Calls {
		turn.Content = append(turn.Content, messagesCall{"tool_use", c.ID, c.Name, c.arguments()})
	}
	return turn
}

// endOfTurn holds the reason to stop against the reply: calls of tools are a natural end, and a
// text that was cut off is kept, and marked.
func endOfTurn(provider, reason string, reply ToolReply) (ToolReply, error) {
	err := stopError(provider, reason, reply.Message.Text, false)
	if err == nil {
		return reply, nil
	}
	if isTruncated(err) {
		switch {
		case len(reply.Message.Calls) > 0 && toolStops[strings.ToLower(reason)]:
			return reply, nil
		case len(reply.Message.Calls) > 0:
			reply.Message.Calls = nil // The last one may be cut off in its arguments.
		}
		if reply.Message.Text != "" {
			reply.Truncated = true
			return reply, nil
		}
	}
	return reply, err
}

// isTruncated reports whether an answer did not come to its end.
func isTruncated(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == KindTruncated
}
