package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"lcm-tui/data"
	"lcm-tui/engine/retrieve"
	"lcm-tui/internal/eventlog"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/parallel"
)

// tool is one tool of the server.
type tool struct {
	name, title, about string
	parameters         []parameter
	schema             json.RawMessage // In place of parameters; the arguments are then not parsed.
	call               func(ctx context.Context, c *call) (answer, error)
	// slow marks a tool that limits its time itself, and writes one that changes the file.
	slow, writes bool
}

// call is one call of a tool.
type call struct {
	*Server
	db   *data.DB
	args arguments
	raw  json.RawMessage // The arguments as they came.
	// session names who asks questions, of which each may wait for one answer at a time.
	session string
	// progress tells the client how far a long call is, if it asked for that.
	progress func(done, total int, what string)
}

// tools returns all tools in the order in which they are used.
func (s *Server) tools() []tool {
	if s.grant != nil {
		return s.grant.list()
	}
	all := []tool{grepTool(), describeTool(), expandTool(), questionTool(), conversationsTool(), recentTool(), statusTool(), searchTool(), statsTool(), doctorTool()}
	if s.Store != nil {
		all = append(all, storeTool())
	}
	return all
}

// addTool offers a tool. No tool deletes, and none reaches beyond the file: clients ask their
// users before they call tools of an open world.
func (s *Server) addTool(server *sdk.Server, t tool) {
	no := false
	meta := sdk.Meta{}
	if s.MaxChars > claudeChars { // Else Claude Code puts the result into a file.
		meta["anthropic/maxResultSizeChars"] = s.MaxChars
	}
	in := t.schema
	if in == nil {
		in = schema(t.parameters)
	}
	server.AddTool(&sdk.Tool{
		Meta: meta, Name: t.name, Title: t.title, Description: t.about, InputSchema: in,
		Annotations: &sdk.ToolAnnotations{Title: t.title, ReadOnlyHint: !t.writes, DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no},
	}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		client := ""
		if info := r.ClientInfo(); info != nil {
			client = info.Name
		}
		a := s.run(ctx, t, r, client)
		return &sdk.CallToolResult{
			Content: []sdk.Content{&sdk.TextContent{Text: a.cut(limitOf(client, s.MaxChars))}}, IsError: a.failed,
		}, nil
	})
}

// run calls a tool. Whatever goes wrong is an answer that says so.
func (s *Server) run(ctx context.Context, t tool, r *sdk.CallToolRequest, client string) (a answer) {
	began := time.Now()
	var args arguments
	var err error
	if t.schema == nil {
		args, err = parseArguments(t.name, t.parameters, r.Params.Arguments)
	}
	if err == nil {
		err = parallel.Call(func() error {
			return s.inTurn(ctx, t.slow, func(ctx context.Context) error {
				return s.database.read(ctx, func(db *data.DB) (err error) {
					a, err = t.call(ctx, &call{Server: s, db: db, args: args, raw: r.Params.Arguments, session: sessionName(client, r, db), progress: progressOf(ctx, r)})
					a.warnings = warningsOf(db)
					return err
				})
			})
		})
	}
	s.note(t.name, client, time.Since(began), err)
	if err != nil {
		return failure(err)
	}
	return a
}

// sessionName names the session of a call. On standard input and output there is one; over HTTP no request tells of another, so
// that clients don't have to wait for each other's answers.
func sessionName(client string, r *sdk.CallToolRequest, db *data.DB) string {
	name := "mcp:" + client
	if r.Extra != nil && r.Extra.Header != nil {
		name += " " + db.NewID()
	}
	return name
}

// note measures and logs a call. What went wrong is a warning, unless the client alone can change it.
func (s *Server) note(name, client string, took time.Duration, err error) {
	if s.Observe != nil {
		s.Observe(name, took)
	}
	var wrong *argumentError
	var refused *retrieve.ToolError
	if err == nil || errors.As(err, &wrong) || errors.As(err, &refused) || errors.Is(err, context.Canceled) {
		s.Log.Info("call", eventlog.Op, name, eventlog.Client, client, eventlog.Took, took)
		return
	}
	s.Log.Warn("call failed", eventlog.Op, name, eventlog.Client, client, eventlog.Took, took, eventlog.Error, err)
}

// inTurn calls fn as soon as few enough other calls run, with the time that a call has.
func (s *Server) inTurn(ctx context.Context, slow bool, fn func(ctx context.Context) error) error {
	if slow {
		return fn(ctx)
	}
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
	case <-ctx.Done():
		return ctx.Err()
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	err := fn(ctx)
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) && !errors.Is(err, data.ErrLocked) {
		return hint.New(fmt.Sprintf("stopped after %s", callTime),
			"Ask for less: one conversationId, since and before, a longer word instead of a common one, or mode \"full_text\" instead of \"regex\".")
	}
	return err
}

// maxMessage is how much of an error is shown, in UTF-16 code units: it may repeat an argument.
const maxMessage = 2000

// failure returns the answer that says why there is no other, in the form of the host's own tools.
func failure(err error) answer {
	failed := &retrieve.ToolError{Message: err.Error(), Advice: hint.Of(err)}
	if head := (limit{}).head(failed.Message, maxMessage); head != failed.Message {
		failed.Message = head + "…"
	}
	return answer{text: failed.Text(), failed: true, narrower: "ask for less"}
}

// progressInterval is the least time between two reports of the progress of a call.
const progressInterval = 250 * time.Millisecond

// progressOf reports to the client of a call, if it asked for reports.
func progressOf(ctx context.Context, r *sdk.CallToolRequest) func(done, total int, what string) {
	token := r.Params.GetProgressToken()
	if token == nil || r.Session == nil {
		return func(int, int, string) {}
	}
	var last time.Time
	return func(done, total int, what string) {
		if now := time.Now(); done >= total || now.Sub(last) >= progressInterval {
			last = now
			_ = r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
				ProgressToken: token, Progress: float64(done), Total: float64(total), Message: strings.TrimSpace(retrieve.WithoutControls(what)),
			}) // Without it the call goes on.
		}
	}
}
