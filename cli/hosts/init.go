package hosts

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/openclaw"
	"lcm-tui/data/postgres"
	"lcm-tui/data/postgres/home"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// initResult is the result of init.
type initResult struct {
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
	cli.WarningList
}

// initHome makes a home in the database of an address.
func initHome(ctx context.Context, c *cli.Invocation, address string) (cli.Result, error) {
	if err := postgres.CheckArgument(address); err != nil {
		return nil, err
	}
	a, err := postgres.Parse(address)
	if err != nil {
		return nil, err
	}
	if a.Source != "" {
		return nil, hint.New("init: the address names a source of a replica, which a machine sends with sync", "leave source= out to make a home")
	}
	conn, err := a.Connect(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	done, err := home.Initialize(ctx, conn, cli.Program+" "+c.Sys.VersionText())
	if err != nil {
		return nil, err
	}
	filled, err := home.MakeSearchable(ctx, conn, c.Progress())
	if err != nil {
		return nil, hint.Wrap(fmt.Errorf("the home has version %d, and the texts of %s are searchable: %w", done.To, plural.Count(filled.Conversations, "conversation", "conversations"), err), "the same command goes on from there; until then texts are read one by one")
	}
	return &homeResult{
		Home: conn.Place(), From: done.From, To: done.To, Applied: append([]string{}, done.Applied...), NoRoles: done.NoRoles,
		Messages: filled.Messages, Summaries: filled.Summaries,
	}, nil
}

// homeResult is the result of init for a home.
type homeResult struct {
	Home    string   `json:"home"`
	From    int      `json:"from_version"` // 0 is no home.
	To      int      `json:"to_version"`
	Applied []string `json:"migrations"`
	NoRoles bool     `json:"without_roles"`
	// Messages and Summaries are how many were made searchable in an older home.
	Messages  int64 `json:"messages_made_searchable"`
	Summaries int64 `json:"summaries_made_searchable"`
	cli.WarningList
}

// Print implements cli.Result.
func (r *homeResult) Print(p *cli.Printer) {
	switch {
	case len(r.Applied) == 0:
		p.Linef("%s has a home of version %d already", ui.Line(r.Home), r.To)
	case r.From == 0:
		p.Linef("made a home, version %d, in %s", r.To, ui.Line(r.Home))
	default:
		p.Linef("brought the home in %s from version %d to %d", ui.Line(r.Home), r.From, r.To)
	}
	if r.Messages+r.Summaries > 0 {
		p.Linef("made %s and %s searchable", plural.Count(r.Messages, "message", "messages"), plural.Count(r.Summaries, "summary", "summaries"))
	}
	if r.NoRoles {
		p.Line("the roles lcm_home and lcm_read don't exist, and this user may not create them: only the user can use the home")
		return
	}
	p.Line("let a user write with: GRANT lcm_home TO …; let one read with lcm_read")
}

func initCommand(a *cli.App) *cobra.Command {
	cmd := a.Command(cli.GroupOther, "init [NEW]", "Create an empty database for agents without a host", createDatabase)
	cmd.Long = `Creates an empty database of the newest level that hosts accept, private to the user. Agents
such as Claude Code and Codex have no host that keeps their memory: lcm-tui follow keeps it in
this file.

Without NEW it is lcm.db in the folder lcm-tui of the user's data (XDG_DATA_HOME, else
~/.local/share). Where no --db is given and no host has a database, all commands open that file.
It writes nothing else, and never over a file.

Where NEW or --db is the address of a PostgreSQL database, it makes a home: the schema home with
the same tables is made there, or brought up to date. Agents of many machines can write to it.`
	cmd.Example = "  lcm-tui init\n  lcm-tui init memory.db && lcm-tui --db memory.db conversations\n  lcm-tui init --db postgres://me@db.example/team"
	cmd.ValidArgsFunction = nil // The shell knows paths best.
	return cmd
}

func createDatabase(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	named := c.Opts.Database()
	if len(c.Args) > 0 {
		named = c.Args[0]
	}
	if postgres.IsAddress(named) {
		return initHome(ctx, c, named)
	}
	path, err := newDatabasePath(c)
	if err != nil {
		return nil, err
	}
	bytes, err := data.CreateNewest(ctx, path)
	if errors.Is(err, data.ErrExists) {
		return nil, cli.ExistsError(err)
	}
	return &initResult{Path: path, Bytes: bytes}, err
}

// newDatabasePath returns the path of the file that is to be made: the one that is named, else that of
// the program itself, whose folder it makes.
func newDatabasePath(c *cli.Invocation) (string, error) {
	if len(c.Args) > 0 {
		return cli.CheckedPath(c.ClosedDestinations(), c.Args[0])
	}
	if named := c.Opts.Database(); named != "" {
		return cli.CheckedPath(c.ClosedDestinations(), named)
	}
	path := openclaw.OwnDatabase(c.Sys.Env)
	if path == "" {
		return "", &hint.Error{Text: "init: there is no folder for data, since neither XDG_DATA_HOME nor HOME is set", Next: "name the file: lcm-tui init NEW"}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("init: %w", err)
	}
	return path, nil
}

// Print implements cli.Result.
func (r *initResult) Print(p *cli.Printer) {
	p.Line("created " + ui.Line(r.Path) + ", " + ui.Size(r.Bytes))
}
