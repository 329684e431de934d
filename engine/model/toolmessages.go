package model

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

// callWithTools asks in Anthropic's Messages format.
func (m messages) callWithTools(ctx context.Context, r ToolRequest) (ToolReply, error) {
	params := anthropic.MessageNewParams{Model: m.model, MaxTokens: int64(r.MaxTokens)}
	if r.System != "" {
		params.System = []anthropic.TextBlockParam{{Text: r.System}}
	}
	for _, t := range r.Tools {
		params.Tools = append(params.Tools, messagesTool(t))
	}
	if r.NoCalls && len(r.Tools) > 0 {
		params.ToolChoice = anthropic.ToolChoiceUnionParam{OfNone: &anthropic.ToolChoiceNoneParam{}}
	}
	for _, e := range r.Messages {
		params.Messages = append(params.Messages, messagesExchange(e))
	}
	msg, err := m.client.New(ctx, params, option.WithRequestTimeout(longest))
	if err != nil {
		return ToolReply{}, m.failed(ctx, err)
	}
	reply := ToolReply{
		InputTokens:  msg.Usage.InputTokens + msg.Usage.CacheCreationInputTokens + msg.Usage.CacheReadInputTokens,
		OutputTokens: msg.Usage.OutputTokens,
	}
	for _, block := range msg.Content {
		switch block.Type {
		case "text":
			reply.Message.Text += block.Text
		case "tool_use":
			reply.Message.Calls = append(reply.Message.Calls, ToolCall{ID: block.ID, Name: block.Name, Arguments: string(block.Input)})
		}
	}
	return endOfTurn(m.wire.provider, string(msg.StopReason), reply)
}

func messagesTool(t Tool) anthropic.ToolUnionParam {
	var schema struct {
		Properties any      `json:"properties"`
		Required   []string `json:"required"`
	}
	_ = json.Unmarshal(t.Parameters, &schema) // Ours.
	return anthropic.ToolUnionParam{OfTool: &anthropic.ToolParam{
		Name: t.Name, Description: anthropic.String(t.Description),
		InputSchema: anthropic.ToolInputSchemaParam{Properties: schema.Properties, Required: schema.Required},
	}}
}

func messagesExchange(e Exchange) anthropic.MessageParam {
	var blocks []anthropic.ContentBlockParamUnion
	for _, result := range e.Results {
		blocks = append(blocks, anthropic.NewToolResultBlock(result.CallID, result.Text, result.IsError))
	}
	if e.Text != "" {
		blocks = append(blocks, anthropic.NewTextBlock(e.Text))
	}
	for _, c := range e.Calls {
		blocks = append(blocks, anthropic.NewToolUseBlock(c.ID, c.arguments(), c.Name))
	}
	if e.Role == RoleModel {
		return anthropic.NewAssistantMessage(blocks...)
	}
	return anthropic.NewUserMessage(blocks...)
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
