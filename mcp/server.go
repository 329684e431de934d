package mcp

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"lcm-tui/data"
	"lcm-tui/engine/ask"
	"lcm-tui/engine/integrity"
	"lcm-tui/engine/retrieve"
)

// Options are what a server shows, and to whom.
type Options struct {
	// Open opens the database for reading. It is called again when the file was replaced.
	Open func(ctx context.Context) (*data.DB, error)
	// Scope says which conversations the server shows; nil shows all.
	Scope func(ctx context.Context, db *data.DB) (retrieve.Scope, error)
	// Limits are those of the settings in force, for a check of the file's health; nil takes the
	// standard ones.
	Limits func() integrity.Limits
	// FilesDir is the folder of large files, the only one that files are read from.
	FilesDir string
	// Version is the version of the program.
	Version string
	// MaxChars is how long an answer may be; 0 goes by the client.
	MaxChars int
	// MaxExpandTokens is the host's setting for what expanding gives; nil takes its default.
	MaxExpandTokens func() int64
	// GrepTime is how long a regular expression may search; 0 is 2 seconds.
	GrepTime time.Duration
	// Asker makes what answers questions, at the first question; nil answers with quoted passages,
	// without a model.
	Asker func() (*ask.Asker, error)
	// Grant limits the server to the tools of a program that answers a question for another
	// process; nil is no such limit. Scope has no effect beside it. GrantUsage is the file that
	// notes what these tools returned, or empty.
	Grant      *ask.Grant
	GrantUsage string
	// Project is the project of the server, whose stored entries it shows; empty where it is limited to none.
	Project string
	// Store stores an entry of promoted memory and returns its id; nil offers no tool that writes.
	Store func(ctx context.Context, db *data.DB, e Entry) (id string, err error)
	// Tools are the names of the tools that are offered; empty offers all.
	Tools []string
	// Installation says what is wrong with the hooks and tools of clients on this machine; nil leaves it out.
	Installation func(ctx context.Context) []InstallationFinding
	// Log gets what goes wrong, and at the level of information each call; nil is nobody.
	Log *slog.Logger
	// Observe is called with each call of a tool that ended, and how long it took; or nil.
	Observe func(tool string, took time.Duration)
	// Metrics is served at /metrics, to those who may call the tools, unless Scope limits what they see; nil is nothing there.
	Metrics http.Handler
}

const (
	// callTime is how long a tool call may read.
	callTime = 5 * time.Second
	// callsAtOnce is how many calls read side by side; the others wait for their turn. The file
	// has no more connections for them.
	callsAtOnce = 4
)

// Server answers the clients of one database.
type Server struct {
	Options
	database database
	turns    chan struct{}
	health   health
	asker    asker
	grant    *grantTools
	sdk      *sdk.Server
}

// New makes a server. It opens nothing.
func New(o Options) *Server {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{Options: o, database: database{open: o.Open}, turns: make(chan struct{}, callsAtOnce), asker: asker{create: o.Asker}}
	if o.Grant != nil {
		s.grant = newGrantTools(o.Grant, o.GrantUsage)
	}
	s.sdk = s.newProtocol()
	return s
}

// newProtocol makes the library's server with everything that this one offers.
func (s *Server) newProtocol() *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: "lcm-tui", Title: "LCM memory", Version: s.Version}, &sdk.ServerOptions{
		Instructions: s.instructions(),
		// Without this the library advertises logging, which the protocol retires; nothing here
		// changes while the server runs, so no change is announced.
		Capabilities: &sdk.ServerCapabilities{
			Tools: &sdk.ToolCapabilities{}, Prompts: &sdk.PromptCapabilities{}, Resources: &sdk.ResourceCapabilities{},
		},
		// A memory is private: no proxy may keep an answer for another user.
		SetCacheable: func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.CacheScope = "private" },
	})
	server.AddReceivingMiddleware(encodable)
	for _, t := range s.tools() {
		if len(s.Tools) == 0 || slices.Contains(s.Tools, t.name) {
			s.addTool(server, t)
		}
	}
	if len(s.Tools) == 0 && s.grant == nil {
		s.addResources(server)
		s.addPrompts(server)
	}
	return server
}

// Serve answers the client on these streams until the input ends and every request has its
// answer, or until the context is cancelled.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	defer s.Close()
	defer context.AfterFunc(ctx, s.health.stop)()
	return s.sdk.Run(ctx, newTransport(in, out))
}

// Connect answers one client over a transport of the library.
func (s *Server) Connect(ctx context.Context, t sdk.Transport) (*sdk.ServerSession, error) {
	return s.sdk.Connect(ctx, t, nil)
}

// Close closes the database. A call after it opens it again.
func (s *Server) Close() {
	s.health.stop()
	s.database.close()
}
