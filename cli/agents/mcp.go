package agents

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/clients/install"
	"lcm-tui/data"
	"lcm-tui/engine/ask"
	"lcm-tui/engine/integrity"
	"lcm-tui/engine/retrieve"
	"lcm-tui/engine/settings"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/loopback"
	"lcm-tui/mcp"
	"lcm-tui/ops"
	"lcm-tui/ops/backfill"
	"lcm-tui/ops/promote"
	"lcm-tui/ui"
)

// mcpFlags is what the MCP server shows, to whom and where.
type mcpFlags struct {
	cli.ModelFlags
	scope       cli.ScopeFlags
	project     cli.TextFlag
	maxChars    *cli.IntegerFlag
	http, token cli.TextFlag
	remote      bool
	readOnly    bool
	store       bool
	grant       *grantFlags
	calls       *cli.IntegerFlag
	dollars     cli.DollarFlag
	log         cli.LogFlag
	logger      *slog.Logger // That of the run.
}

// folderFlagHelp is the help of --cwd, which stands beside the flags of scopeFlags.
const folderFlagHelp = "look into all conversations that were imported from sessions in this folder"

func mcpCommand(a *cli.App) *cobra.Command {
	m := &mcpFlags{
		project: cli.TextFlag{Noun: "DIR"}, maxChars: cli.AtLeast(1, "N"), http: cli.TextFlag{Noun: "ADDRESS"}, token: cli.TextFlag{Noun: "FILE"},
		grant: newGrantFlags(), calls: cli.AtLeast(1, "N"),
	}
	cmd := a.Command(cli.GroupAgents, "mcp", "Serve the database to agents over the Model Context Protocol", m.run)
	cmd.Long = `Gives an agent the tools lcm_grep, lcm_describe, lcm_expand, lcm_expand_query,
lcm_conversations, lcm_recent, lcm_status, lcm_search, lcm_stats and lcm_doctor, with the
texts of the host's own tools. It speaks on standard input and output; a client such as Claude
Code or Codex starts it, and lcm-tui install registers it there.

--conversation, --session-key, --session-id, --agent and --cwd limit what every tool and
resource shows. Without any of them all conversations are visible.

Questions are answered by the model that --provider and --model name, else as lcm-tui ask
does; without a model the answer is quoted passages.

--http serves on a loopback address, such as 127.0.0.1:7878. Clients send the token as a
bearer token; it is made at the first start, printed once, and stays in a file of its own.
At /metrics it gives the numbers of lcm-tui metrics to those who have the token, unless the
server is limited.

Writes nothing to the database, except with --store: then lcm_store stores entries of memory
of the project of --cwd or of the working folder, each as a change that lcm-tui undo undoes.
Where nothing limits the server, the agent may name another project's folder.`
	cmd.Example = "  lcm-tui mcp\n  lcm-tui mcp --cwd .\n  lcm-tui mcp --agent main --http 127.0.0.1:7878"
	m.scope.Bind(a, cmd)
	fs := cmd.Flags()
	fs.Var(&m.project, "cwd", folderFlagHelp)
	fs.Var(m.maxChars, "max-chars", "how long an answer may be, in characters (default: 40000 for Claude Code, 10000 bytes for Codex and where no name is said, as often over HTTP, 20000 for others)")
	fs.Var(&m.http, "http", "serve on this address, such as 127.0.0.1:7878, instead of standard input and output")
	fs.Var(&m.token, "token-file", "with --http: the file of the token (default: lcm-tui/mcp-token in your configuration folder)")
	fs.BoolVar(&m.remote, "allow-remote", false, "with --http: serve on an address that other machines can reach")
	m.BindChoice(cmd, "answers questions")
	fs.Var(m.calls, "max-calls", "the greatest number of calls of the model, as long as the server runs")
	fs.Var(&m.dollars, "max-cost", "stop before the calls cost more than this many dollars, as long as the server runs")
	fs.BoolVar(&m.readOnly, "read-only", true, "write nothing but what --store allows; there is no other way to serve")
	_ = fs.MarkHidden("read-only")
	fs.BoolVar(&m.store, "store", false, "also offer lcm_store, with which agents store entries of memory")
	m.log.Bind(fs)
	m.grant.bind(fs)
	return cmd
}

func (m *mcpFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	o, err := m.options(ctx, c)
	if err != nil {
		return nil, err
	}
	log, done, err := m.log.Open(c, slog.LevelWarn)
	if err != nil {
		return nil, err
	}
	defer done()
	m.logger, o.Log = log, log
	if o.Grant == nil {
		defer m.measure(c, &o)()
	}
	server := mcp.New(o)
	if !m.scope.IsSet() && m.project.Value == "" && m.grant.conversations.Value == "" {
		fmt.Fprintf(c.Sys.Err, "%s mcp: every conversation of the database is visible; --cwd, --agent, --session-key or --conversation limits that\n", cli.Program)
	}
	if m.http.Value != "" {
		return nil, m.serveHTTP(ctx, c, server)
	}
	return nil, server.Serve(ctx, c.Sys.In, c.Sys.Out)
}

// options returns those of the server that the flags describe. It doesn't open the database: a client
// may start the server before the host has made its file.
func (m *mcpFlags) options(ctx context.Context, c *cli.Invocation) (o mcp.Options, err error) {
	if err := m.scope.Check(); err != nil {
		return o, err
	}
	if m.project.Value != "" && m.scope.IsSet() {
		return o, cli.UsageErrorf("--cwd and --conversation, --session-key, --session-id, --agent and --all exclude each other; give one")
	}
	if m.project.Value != "" {
		if m.project.Value, err = below(c, m.project.Value); err != nil {
			return o, err
		}
	}
	if !m.readOnly {
		return o, cli.UsageErrorf("--read-only=false: the server never writes")
	}
	grant, err := m.grant.grant()
	if err != nil {
		return o, err
	}
	if path := m.grant.usage.Value; path != "" {
		if err := c.ClosedDestinations().CheckReplaced(ctx, path); err != nil {
			return o, err
		}
	}
	locations, _ := c.Locate() // What is wrong is said when the database is opened.
	settingsOf := func() settings.Settings { return (&cli.Invocation{App: c.App}).HostSettings(nil).Settings }
	o = mcp.Options{
		Open: func(ctx context.Context) (*data.DB, error) {
			return (&cli.Invocation{App: c.App, LockWait: mcp.LockWait}).Open(ctx)
		},
		Asker: func() (*ask.Asker, error) {
			return cli.NewAsker((&cli.Invocation{App: c.App}), cli.AskerOptions{Chosen: m.Chosen(), Spending: serverSpending(int(m.calls.Value), m.dollars.Value), Log: m.logger, Database: locations.Database})
		},
		Limits:          func() integrity.Limits { return integrity.LimitsOf(settingsOf()) },
		MaxExpandTokens: func() int64 { return settingsOf().MaxExpandTokens() },
		Grant:           grant, GrantUsage: m.grant.usage.Value, Tools: m.grant.names(),
		FilesDir: locations.FilesDir, Version: c.Sys.VersionText(), MaxChars: int(m.maxChars.Value),
		Installation: func(ctx context.Context) []mcp.InstallationFinding { return installationFindings(ctx, c) },
	}
	o.Project = m.scope.Agent.Value
	if m.store {
		o.Store = func(ctx context.Context, db *data.DB, e mcp.Entry) (string, error) {
			return m.storeEntry(ctx, c, db, e)
		}
	}
	switch {
	case m.project.Value != "":
		o.Project = backfill.ProjectOf(m.project.Value)
		p, err := newProjectScope(m.project.Value)
		if err != nil {
			return o, err
		}
		o.Scope = p.conversations
	case m.scope.IsSet() && !m.scope.All:
		o.Scope = m.scope.ResolveIn
	}
	return o, nil
}

// installationFindings returns what is wrong with the files of clients. It starts nothing.
func installationFindings(ctx context.Context, c *cli.Invocation) (out []mcp.InstallationFinding) {
	program, err := c.Sys.ProgramPath()
	if err != nil {
		return nil
	}
	look := install.Inspection{Environment: c.Clients(), Program: program, HookLog: c.HookLogFile(), Now: time.Now()}
	for _, f := range look.Run(ctx, "") {
		out = append(out, mcp.InstallationFinding{ID: f.ID, Severity: f.Severity, Client: f.Client, Text: f.Text, Repair: f.Repair})
	}
	return out
}

// serveHTTP serves on the address of --http until the program is stopped.
func (m *mcpFlags) serveHTTP(ctx context.Context, c *cli.Invocation, server *mcp.Server) error {
	path := m.token.Value
	if path == "" {
		folder, err := os.UserConfigDir()
		if err != nil {
			return cli.UsageErrorf("there is no configuration folder for the token (%v); give --token-file FILE", err)
		}
		path = filepath.Join(folder, cli.Program, "mcp-token")
	}
	l, err := mcp.Listen(ctx, m.http.Value, m.remote)
	if err != nil {
		return err
	}
	defer l.Close()
	path, err = cli.CheckedPath(c.ClosedDestinations(), path)
	if err != nil {
		return err
	}
	token, isNew, err := loopback.Token(path)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.Sys.Err, "%s mcp: serving http://%s/mcp; the token is in %s\n", cli.Program, l.Addr(), path)
	if isNew {
		fmt.Fprintf(c.Sys.Err, "%s mcp: the token, which isn't printed again: %s\n", cli.Program, token)
	}
	return server.ServeHTTP(ctx, l, token)
}

// serverSpending returns that of a process that answers many questions: what the flags allow, and no
// more calls in a short time than the reference engine makes for unattended work.
func serverSpending(calls int, dollars float64) *summarize.Spending {
	const mostCalls, window, backoff = 24, 10 * time.Minute, 30 * time.Minute
	return summarize.NewSpending(calls, dollars).LimitRate(mostCalls, window, backoff, nil)
}

// storeEntry stores an entry of memory for an agent, as a change with a record.
func (m *mcpFlags) storeEntry(ctx context.Context, c *cli.Invocation, db *data.DB, e mcp.Entry) (id string, err error) {
	folder, err := m.storeFolder(c, e.Folder)
	if err != nil {
		return "", err
	}
	masker, err := c.Sys.Masker(folder)
	if err != nil {
		return "", err
	}
	o := &promote.Store{Tags: e.Tags, Project: backfill.ProjectOf(folder)}
	o.Text, o.Masked = masker.Mask(e.Text)
	p, err := o.Plan(ctx, db, func(int, int, string) {})
	if errors.Is(err, ops.ErrNothing) {
		return o.ID, nil // It is there already.
	}
	if err != nil {
		return "", err
	}
	_, err = ops.Apply(ctx, db, p)
	return o.ID, err
}

// storeFolder returns the folder of the project for which an entry is stored: that of the server, or the one that the
// agent names, as seen from there. A server that is limited stores for its own project only.
func (m *mcpFlags) storeFolder(c *cli.Invocation, named string) (string, error) {
	own, err := below(c, m.project.Value)
	if err != nil || named == "" {
		return own, err
	}
	if !filepath.IsAbs(named) {
		named = filepath.Join(own, named)
	}
	isLimited := m.project.Value != "" || m.scope.IsSet() && !m.scope.All
	if isLimited && backfill.ProjectOf(named) != backfill.ProjectOf(own) {
		return "", &retrieve.ToolError{Message: "Not found in this session scope: the project of " + ui.Line(named), Advice: "Without projectPath the entry belongs to the project of the server.", Reason: retrieve.OutOfScope}
	}
	return named, nil
}

// below returns the path of a folder as seen from the working folder, which an empty one is.
func below(c *cli.Invocation, folder string) (string, error) {
	if filepath.IsAbs(folder) {
		return folder, nil
	}
	here, err := c.Sys.Folder()
	return filepath.Join(here, folder), err
}
