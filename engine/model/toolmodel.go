package model

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"lcm-tui/engine/summarize"
)

// ChooseToolModel finds the model for conversations with tools, as Choose does for summaries, with
// the host's fallbacks. Providers that aren't reached over HTTP are an error: Extractive and Exec
// call no tools, and ChooseProgram runs the others. Calls count against spending, which may be nil.
func ChooseToolModel(c Choice, env Getenv, host HostConfig, spending *summarize.Spending) (ToolModel, error) {
	r, err := Resolve(c, env, host)
	if err == nil {
		err = r.Ready()
	}
	if err != nil {
		return nil, err
	}
	if local(r.Provider) {
		return nil, setup("the provider "+r.Provider+" calls no tools", "name a provider that is reached over HTTP")
	}
	prices, err := loadPrices(c.Prices, env)
	if err != nil {
		return nil, err
	}
	chain := &toolChain{models: []ToolModel{newToolModel(r, c, prices, spending)}, ended: map[int]error{}}
	if !c.IsZero() {
		return chain.models[0], nil
	}
	for _, next := range fallbackModels(c, env, host) {
		if next.Ready() == nil && !local(next.Provider) {
			chain.add(newToolModel(next, c, prices, spending))
		}
	}
	return chain, nil
}

// newToolModel is a model over HTTP that is ready to be asked.
func newToolModel(r Resolved, c Choice, prices Prices, spending *summarize.Spending) ToolModel {
	m := &retryingToolModel{key: r.Key, identity: r.identity(), name: r.Name(), provider: r.Provider, timeout: c.Timeout, retry: c.Retry, price: prices.of(r), spending: spending}
	w := newHTTPClient(r)
	switch r.API {
	case Messages:
		m.toolCaller = newMessages(w, r)
	case Responses:
		m.toolCaller = responses{wire: w, url: endpoint(r.BaseURL, "/responses"), model: r.Model}
	default:
		m.toolCaller = chat{wire: w, url: endpoint(r.BaseURL, "/chat/completions"), model: r.Model, openai: ownerOfHost(r.BaseURL) == "openai"}
	}
	return m
}

// retryingToolModel calls a model with a time limit, and again after failures that may pass.
type retryingToolModel struct {
	toolCaller
	key                      Secret // Removed from replies.
	name, provider, identity string
	timeout                  time.Duration
	retry                    Retry
	price                    *Price // nil is unknown.
	spending                 *summarize.Spending
}

func (m *retryingToolModel) Name() string { return m.name }

// Identity implements ToolModel.
func (m *retryingToolModel) Identity() string { return m.name + "\n" + m.identity }

// CallWithTools implements ToolModel.
func (m *retryingToolModel) CallWithTools(ctx context.Context, r ToolRequest) (ToolReply, error) {
	estimate := m.cost(int64(r.size())/4, int64(r.MaxTokens))
	if err := m.spending.Reserve(estimate); err != nil {
		return ToolReply{}, err
	}
	reply, err := m.callWithRetries(ctx, r)
	reply.Model = m.name
	if m.price != nil && !reply.Priced && reply.InputTokens+reply.OutputTokens > 0 {
		reply.Cost, reply.Priced = m.cost(reply.InputTokens, reply.OutputTokens), true
	}
	m.spending.Correct(reply.Cost - estimate)
	return reply, err
}

func (m *retryingToolModel) cost(in, out int64) float64 {
	if m.price == nil {
		return 0
	}
	return m.price.cost(in, out)
}

// size is the length of all texts of a request, in bytes.
func (r ToolRequest) size() int {
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

func (m *retryingToolModel) callWithRetries(ctx context.Context, r ToolRequest) (ToolReply, error) {
	attempt := func() (ToolReply, error) { return m.attempt(ctx, r) }
	return retried(ctx, m.provider, m.retry, attempt, func(sum *ToolReply, reply ToolReply) {
		sum.InputTokens, sum.OutputTokens = sum.InputTokens+reply.InputTokens, sum.OutputTokens+reply.OutputTokens
	})
}

// attempt is one call within the time limit, and the check of its reply.
func (m *retryingToolModel) attempt(ctx context.Context, r ToolRequest) (ToolReply, error) {
	got, err := limited(ctx, m.provider, m.timeout, m.key, func(ctx context.Context) (ToolReply, error) { return m.callWithTools(ctx, r) })
	if err != nil {
		return got, err
	}
	got.Message.Role = RoleModel
	got.Message.Text = m.key.scrub(strings.ToValidUTF8(got.Message.Text, "\ufffd"))
	for i := range got.Message.Calls {
		if c := &got.Message.Calls[i]; c.ID == "" { // Some local servers send none.
			c.ID = fmt.Sprintf("call_%d_%d", len(r.Messages), i)
		}
	}
	if strings.TrimSpace(got.Message.Text) == "" && len(got.Message.Calls) == 0 {
		return got, &Error{Kind: KindEmpty, Provider: m.provider, Message: "it holds neither a text nor a call of a tool"}
	}
	return got, nil
}

// toolChain is a model and its fallbacks. The next is asked where one fails: it is given the same
// conversation. One that failed for good isn't asked again.
type toolChain struct {
	models []ToolModel
	mu     sync.Mutex
	ended  map[int]error
}

func (c *toolChain) add(m ToolModel) {
	for _, known := range c.models {
		if known.Identity() == m.Identity() {
			return
		}
	}
	c.models = append(c.models, m)
}

// Name is the name of the first model.
func (c *toolChain) Name() string { return c.models[0].Name() }

// Identity implements ToolModel.
func (c *toolChain) Identity() string {
	all := make([]string, len(c.models))
	for i, m := range c.models {
		all[i] = m.Identity()
	}
	return strings.Join(all, "\n")
}

// CallWithTools implements ToolModel. Its error is that of all models.
func (c *toolChain) CallWithTools(ctx context.Context, r ToolRequest) (ToolReply, error) {
	var errs []error
	for i, m := range c.models {
		c.mu.Lock()
		err := c.ended[i]
		c.mu.Unlock()
		if err == nil {
			var reply ToolReply
			reply, err = m.CallWithTools(ctx, r)
			if err == nil || ctx.Err() != nil || errors.Is(err, summarize.ErrLimit) {
				return reply, err
			}
		}
		if errors.Is(err, summarize.ErrPermanent) {
			c.mu.Lock()
			c.ended[i] = err
			c.mu.Unlock()
		}
		errs = append(errs, err)
	}
	return ToolReply{}, errors.Join(errs...)
}
