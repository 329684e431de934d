package hosts

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/openclaw"
	"lcm-tui/internal/demo"
	"lcm-tui/internal/leftover"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/screens"
)

// demoResult is the result of demo.
type demoResult struct {
	Path string `json:"path"`
	cli.WarningList
}

func demoCommand(a *cli.App) *cobra.Command {
	path, pending := cli.TextFlag{Noun: "FILE"}, false
	cmd := a.Command(cli.GroupOther, "demo", "Try the program on an invented database", func(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
		write := demo.Write
		if pending {
			write = demo.WritePending
		}
		if path.Value != "" {
			to, err := cli.CheckedPath(c.ClosedDestinations(), path.Value)
			if err != nil {
				return nil, err
			}
			return writeDemo(to, write)
		}
		return showDemo(ctx, c, write)
	})
	cmd.Long = `Opens the UI on a demonstration: the database of an invented company's agents. It is written
to a temporary folder and removed afterwards.

With --path, or without a terminal, it only writes the file and prints its path. With
--pending the file is one of a host of the 1.0 generation that prepares summaries in the
background.`
	cmd.Example = "  lcm-tui demo\n  lcm-tui demo --path demo.db && lcm-tui --db demo.db conversations"
	cmd.Flags().Var(&path, "path", "write the database to this new file and don't open the UI")
	cmd.Flags().BoolVar(&pending, "pending", false, "as a host of 1.0 writes it, with summaries that it prepares")
	return cmd
}

// demoWriter writes a demonstration of a moment to a path.
type demoWriter func(path string, now time.Time) error

func writeDemo(path string, write demoWriter) (cli.Result, error) {
	_, err := data.CreateDatabase("write the demo", path, func(part string) error { return write(part, time.Now()) })
	if errors.Is(err, data.ErrExists) {
		return nil, cli.ExistsError(err)
	}
	if err != nil {
		return nil, err
	}
	return &demoResult{Path: path}, nil
}

// showDemo opens the UI on a demo that goes away with it.
func showDemo(ctx context.Context, c *cli.Invocation, write demoWriter) (cli.Result, error) {
	folder, err := leftover.CreateFolder("demo") // Private to the user.
	if err != nil {
		return nil, err
	}
	path := filepath.Join(folder, "lcm.db")
	if !c.Sys.Interactive() || c.Opts.JSON {
		r, err := writeDemo(path, write)
		if err != nil {
			return nil, errors.Join(err, leftover.RemoveFolder(folder))
		}
		return r, nil
	}
	defer leftover.RemoveFolder(folder)
	if _, err := writeDemo(path, write); err != nil {
		return nil, err
	}
	db, err := data.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	o := (&screenRun{App: c.App}).options(db, openclaw.Locations{
		StateDir: folder, Database: path, FilesDir: filepath.Join(folder, "lcm-files"),
		Places: []openclaw.Place{{Where: "demo", Value: path}},
	}, nil)
	o.Name, o.Note = "demo", "invented, deleted at the end"
	o.Databases = nil // The demonstration goes away when another database is opened.
	return nil, views.Run(ctx, o, screens.All())
}

func (d *demoResult) Print(p *cli.Printer) { p.Write(ui.Line(d.Path) + "\n") }
