package retry

import (
	"context"
	"fmt"
	"strings"

	"lcm-tui/engine/model"
	"lcm-tui/engine/summarize"
)

// ToolCaller makes one call of a model that may call tools. The reply may leave out the model, the
// cost and the ids of calls. With an error it still has the counts.
type ToolCaller interface {
	CallWithTools(ctx context.Context, r model.ToolRequest) (model.ToolReply, error)
}

// toolModel is a model that may call tools.
type toolModel struct {
	Options
	one      ToolCaller
	spending *summarize.Spending
}

// Tools makes a model of one that makes single calls. Calls count against spending, which may be nil.
func Tools(one ToolCaller, o Options, spending *summarize.Spending) model.ToolModel {
	return &toolModel{o, one, spending}
}

// Name implements model.ToolModel.
func (m *toolModel) Name() string { return m.Options.Name }

// Identity implements model.ToolModel.
func (m *toolModel) Identity() string { return m.Name() + "\n" + m.Options.Identity() }

// CallWithTools implements model.ToolModel.
func (m *toolModel) CallWithTools(ctx context.Context, r model.ToolRequest) (model.ToolReply, error) {
	estimate, _ := m.Price(int64(size(r))/4, int64(r.MaxTokens))
	if err := m.spending.Reserve(estimate); err != nil {
		return model.ToolReply{}, err
	}
	reply, err := repeat(ctx, m.Options, func() (model.ToolReply, error) { return m.call(ctx, r) }, func(sum *model.ToolReply, reply model.ToolReply) {
		sum.InputTokens, sum.OutputTokens = sum.InputTokens+reply.InputTokens, sum.OutputTokens+reply.OutputTokens
	})
	reply.Model = m.Name()
	if reply.InputTokens+reply.OutputTokens > 0 {
		reply.Cost, reply.Priced = m.Price(reply.InputTokens, reply.OutputTokens)
	}
	m.spending.Correct(reply.Cost - estimate)
	return reply, err
}

// size returns the length of all texts of a request, in bytes.
func size(r model.ToolRequest) int {
	n := len(r.System)
	for _, e := range r.Messages {
		n += len(e.Text)
		for _, c := range e.Calls {
			n += len(c.Arguments)
		}
		for _, result := range e.Results {
			n += len(result.Text)
		}
	}
	return n
}

// call makes one call within the time limit, and checks its reply.
func (m *toolModel) call(ctx context.Context, r model.ToolRequest) (model.ToolReply, error) {
	got, err := limit(ctx, m.Options, func(ctx context.Context) (model.ToolReply, error) { return m.one.CallWithTools(ctx, r) })
	if err != nil {
		return got, err
	}
	got.Message.Text = m.Key.Scrub(strings.ToValidUTF8(got.Message.Text, "\ufffd"))
	for i := range got.Message.Calls {
		if c := &got.Message.Calls[i]; c.ID == "" { // Some local servers send none.
			c.ID = fmt.Sprintf("call_%d_%d", len(r.Messages), i)
		}
	}
	if strings.TrimSpace(got.Message.Text) == "" && len(got.Message.Calls) == 0 {
		return got, &model.Error{Kind: model.KindEmpty, Provider: m.Provider, Message: "it holds neither a text nor a call of a tool"}
	}
	return got, nil
}
