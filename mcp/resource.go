package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/retrieve"
	"lcm-tui/internal/parallel"
)

const (
	// maxFile is how much of a file is read, in bytes.
	maxFile = 512_000
	// maxResource is how long the text of a resource may be, in bytes: a file and what is said of it.
	maxResource = 1 << 20
)

// resource is a kind of text that has an address.
type resource struct {
	address, name, about string
	read                 func(ctx context.Context, c *call, id string) (answer, error)
}

const uriScheme = "lcm://"

// resources returns all of them. The address of one with an id holds {id}.
func (s *Server) resources() []resource {
	return []resource{
		{"conversations", "Conversations", "The conversations of the memory, newest activity first.", func(ctx context.Context, c *call, _ string) (answer, error) {
			return listConversations(ctx, c)
		}},
		{"conversation/{id}", "Conversation", "The newest messages of a conversation and the summaries before them.", readConversation},
		{"conversation/{id}/context", "Context of a conversation", "What stands in the context of a conversation, in order: summaries, then messages.", readContext},
		{"summary/{id}", "Summary", "A summary and its place in the graph, as lcm_describe shows it.", readDescription("sum_")},
		{"file/{id}", "File", "A stored file with its content, as lcm_describe shows it.", readDescription("file_")},
		{"message/{id}", "Message", "The whole text of a message, with what its tools were given and answered.", readMessage},
	}
}

// addResources offers the resources. Only texts are offered.
func (s *Server) addResources(server *sdk.Server) {
	for _, r := range s.resources() {
		handler := s.resourceHandler(r)
		if !strings.Contains(r.address, "{id}") {
			server.AddResource(&sdk.Resource{URI: uriScheme + r.address, Name: r.name, Description: r.about, MIMEType: "text/plain"}, handler)
			continue
		}
		server.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: uriScheme + r.address, Name: r.name, Description: r.about, MIMEType: "text/plain"}, handler)
	}
}

// resourceHandler reads a resource. One that isn't there and one outside the scope are the same
// to the client.
func (s *Server) resourceHandler(r resource) sdk.ResourceHandler {
	return func(ctx context.Context, request *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		uri := request.Params.URI
		id, ok := r.id(uri)
		if !ok {
			return nil, notFound(uri)
		}
		began := time.Now()
		var a answer
		err := parallel.Call(func() error {
			return s.inTurn(ctx, false, func(ctx context.Context) error {
				return s.database.read(ctx, func(db *data.DB) (err error) {
					a, err = r.read(ctx, &call{Server: s, db: db, args: arguments{}, progress: func(int, int, string) {}}, id)
					a.warnings = warningsOf(db)
					return err
				})
			})
		})
		var hidden *retrieve.ToolError
		switch {
		case errors.Is(err, data.ErrNotFound), errors.As(err, &hidden), a.failed:
			return nil, notFound(uri)
		case err != nil:
			s.note("resources/read", "", time.Since(began), err)
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
		}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{
			URI: uri, MIMEType: "text/plain", Text: a.cut(limit{most: maxResource, bytes: true}),
		}}}, nil
	}
}

// id returns the id in an address of this kind.
func (r resource) id(uri string) (id string, ok bool) {
	before, after, has := strings.Cut(uriScheme+r.address, "{id}")
	if !has {
		return "", uri == before
	}
	rest, isPrefix := strings.CutPrefix(uri, before)
	id, isSuffix := strings.CutSuffix(rest, after)
	return id, isPrefix && isSuffix && id != "" && !strings.Contains(id, "/")
}

// withConversation makes the call one about the conversation with an id.
func (c *call) withConversation(id string) error {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return noScope()
	}
	c.args["conversationId"] = float64(n)
	return nil
}

func readConversation(ctx context.Context, c *call, id string) (answer, error) {
	if err := c.withConversation(id); err != nil {
		return answer{}, err
	}
	return readRecent(ctx, c)
}

func readContext(ctx context.Context, c *call, id string) (answer, error) {
	if err := c.withConversation(id); err != nil {
		return answer{}, err
	}
	conv, err := c.conversation(ctx)
	if err != nil {
		return answer{}, err
	}
	items, err := c.ownItems(ctx, conv.ID)
	if err != nil {
		return answer{}, err
	}
	out := []string{
		"## LCM Context", fmt.Sprintf("**Conversation:** %d", conv.ID), "**Name:** " + oneLine(conv.Name(), maxName),
		fmt.Sprintf("**Items:** %d, %d tokens", len(items), lcm.SumTokens(items)), historyNote, "",
	}
	for _, i := range items {
		out = append(out, contextRow(i))
	}
	return answer{text: strings.Join(out, "\n") + "\n", isRow: isListRow, narrower: "read lcm://conversation/" + id + " for the newest"}, nil
}

// ownItems returns the places of a context, without those that name a row of another conversation:
// a damaged context may lead out of the scope.
func (c *call) ownItems(ctx context.Context, conv int64) ([]lcm.ContextItem, error) {
	raw, err := lcm.RawContext(ctx, c.db, conv)
	if err != nil {
		return nil, err
	}
	foreign := map[int64]bool{}
	for _, i := range raw {
		if i.Owner != conv && !i.Missing {
			foreign[i.Ordinal] = true
		}
	}
	items, err := lcm.Context(ctx, c.db, conv)
	return slices.DeleteFunc(items, func(i lcm.ContextItem) bool { return foreign[i.Ordinal] }), err
}

// contextRow returns one place of a context.
func contextRow(i lcm.ContextItem) string {
	what := fmt.Sprintf("msg#%d", i.Message)
	kind := i.Role
	if i.IsSummary() {
		what, kind = i.Summary, fmt.Sprintf("%s, depth %d", i.Kind, i.Depth)
	}
	if i.Missing {
		return fmt.Sprintf("- [%d %s]: the row is missing", i.Ordinal, oneLine(what, maxName))
	}
	return fmt.Sprintf("- [%d %s] (%s, %s, %d tokens): %s", i.Ordinal, oneLine(what, maxName), oneLine(kind, maxName), retrieve.Instant(i.At).String(), i.Tokens, oneLine(i.Preview, maxName))
}

// readDescription returns the description of a summary, or of a file with its content. Its id begins
// with a prefix, so that no address names something of another kind.
func readDescription(prefix string) func(ctx context.Context, c *call, id string) (answer, error) {
	return func(ctx context.Context, c *call, id string) (answer, error) {
		if !strings.HasPrefix(id, prefix) {
			return answer{}, noScope()
		}
		within, err := c.confined(ctx)
		if err != nil {
			return answer{}, err
		}
		c.args["expandFile"], c.args["expandFileMaxBytes"] = true, float64(maxFile)
		return c.describe(ctx, within, id)
	}
}

func readMessage(ctx context.Context, c *call, id string) (answer, error) {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return answer{}, noScope()
	}
	within, err := c.confined(ctx)
	if err != nil {
		return answer{}, err
	}
	m, err := lcm.ReadMessage(ctx, c.db, n)
	switch {
	case err != nil:
		return answer{}, err
	case !within.Contains(m.Conversation):
		return answer{}, outside(m.Conversation)
	}
	out := []string{
		fmt.Sprintf("## LCM Message: %d", m.ID), fmt.Sprintf("**Conversation:** %d", m.Conversation), "**Role:** " + oneLine(m.Role, maxName),
		"**Time:** " + retrieve.Instant(m.CreatedAt).String(), fmt.Sprintf("**Tokens:** %d", m.Tokens), historyNote, "", m.Content,
	}
	for _, p := range m.Parts {
		if text := partsText([]lcm.Part{p}); text != "" && text != m.Content {
			out = append(out, "", fmt.Sprintf("### Part %d (%s)", p.Ordinal, oneLine(p.Type, maxName)), "", text)
		}
	}
	return answer{text: strings.Join(out, "\n") + "\n", narrower: "the rest of the message is in the database only"}, nil
}
