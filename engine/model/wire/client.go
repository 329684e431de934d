package wire

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"lcm-tui/engine/model"
	"lcm-tui/engine/summarize"
)

// API is a wire format.
type API string

// The wire formats.
const (
	Messages  API = "messages"  // Anthropic's.
	Responses API = "responses" // OpenAI's newer one.
	Chat      API = "chat"      // OpenAI's chat completions, which every compatible server has.
)

// Server is who is asked, and how.
type Server struct {
	Provider, Model string
	API             API
	BaseURL         string // It may be only a host, or end in the path of a call.
	Key             model.Secret
	Bearer          bool              // The key is a bearer's in the Messages format, too.
	OpenAI          bool              // OpenAI itself has another name for a limit than the servers after it.
	Withheld        string            // Why a key that is there isn't sent, or empty.
	Transport       http.RoundTripper // Nil is the standard one.
}

// Client asks a server. It may be used from several goroutines.
type Client struct {
	server Server
	ask    func(context.Context, model.ToolRequest) (answer, error)
}

// answer is what a reply says in any format.
type answer struct {
	text, refusal string
	reason        string           // Why it stopped.
	calls         []model.ToolCall // Of our tools.
	called        bool             // Any tool is called.
	in, out       int64            // Tokens; 0 is unknown.
}

// New makes a client of a server.
func New(s Server) Client {
	c := newHTTPClient(s)
	switch s.API {
	case Messages:
		return Client{s, messages{c}.ask}
	case Responses:
		return Client{s, responses{c}.ask}
	default:
		return Client{s, chat{c}.ask}
	}
}

// Summarize makes one call. An answer that isn't one by itself is an error, beside which the reply
// has the counts of tokens.
func (c Client) Summarize(ctx context.Context, r summarize.Request) (summarize.Reply, error) {
	got, err := c.ask(ctx, model.ToolRequest{
		System: r.System, Messages: []model.Exchange{{Role: model.RoleUser, Text: r.Prompt}}, MaxTokens: r.MaxTokens,
	})
	if err == nil {
		err = c.refusal(got)
	}
	if err == nil {
		err = model.CheckStop(c.server.Provider, got.reason, got.text, got.called)
	}
	return summarize.Reply{Text: got.text, InputTokens: got.in, OutputTokens: got.out}, err
}

// CallWithTools makes one call of a model that may call tools. Beside an error the reply has the
// counts of tokens.
func (c Client) CallWithTools(ctx context.Context, r model.ToolRequest) (model.ToolReply, error) {
	got, err := c.ask(ctx, r)
	reply := model.ToolReply{
		Message:     model.Exchange{Role: model.RoleModel, Text: got.text, Calls: got.calls},
		InputTokens: got.in, OutputTokens: got.out,
	}
	if err == nil {
		err = c.refusal(got)
	}
	if err != nil {
		return reply, err
	}
	return c.endTurn(got.reason, reply)
}

// refusal returns the error of an answer in which the model declines, or nil.
func (c Client) refusal(got answer) error {
	if got.refusal == "" {
		return nil
	}
	return &model.Error{Kind: model.KindRefused, Provider: c.server.Provider, Message: model.Shorten(c.server.Key.Scrub(got.refusal))}
}

// endTurn holds the reason to stop against the reply: calls of tools are a natural end, and a
// text that was cut off is kept, and marked.
func (c Client) endTurn(reason string, reply model.ToolReply) (model.ToolReply, error) {
	err := model.CheckStop(c.server.Provider, reason, reply.Message.Text, false)
	var e *model.Error
	if !errors.As(err, &e) || e.Kind != model.KindTruncated {
		return reply, err
	}
	if len(reply.Message.Calls) > 0 {
		if model.WantsTool(reason) {
			return reply, nil
		}
		reply.Message.Calls = nil // The last one may be cut off in its arguments.
	}
	if reply.Message.Text == "" {
		return reply, err
	}
	reply.Truncated = true
	return reply, nil
}

// endpoint returns the address of a call.
func endpoint(base, path string) string {
	base = strings.TrimRight(base, "/")
	for _, end := range []string{"/chat/completions", "/responses", "/messages"} {
		base = strings.TrimSuffix(base, end)
	}
	if u, err := url.Parse(base); err == nil && u.Path == "" {
		base += "/v1"
	}
	return base + path
}
