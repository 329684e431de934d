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
	"lcm-tui/internal/hint"
	"lcm-tui/ui"
)

// initResult is the result of init.
type initResult struct {
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
	cli.WarningList
}

func initCommand(a *cli.App) *cobra.Command {
	cmd := a.Command(cli.GroupOther, "init [NEW]", "Create an empty database for agents without a host", createDatabase)
	cmd.Long = `Creates an empty database of the newest level that hosts accept, private to the user. Agents
such as Claude Code and Codex have no host that keeps their memory: lcm-tui follow keeps it in
this file.

Without NEW it is lcm.db in the folder lcm-tui of the user's data (XDG_DATA_HOME, else
~/.local/share). Where no --db is given and no host has a database, all commands open that file.
It writes nothing else, and never over a file.`
	cmd.Example = "  lcm-tui init\n  lcm-tui init memory.db && lcm-tui --db memory.db conversations"
	cmd.ValidArgsFunction = nil // The shell knows paths best.
	return cmd
}

func createDatabase(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
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
