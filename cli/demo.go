package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/data"
	"lcm-tui/data/openclaw"
	"lcm-tui/internal/demo"
	"lcm-tui/internal/leftover"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// demoResult is the result of demo.
type demoResult struct {
	Path string `json:"path"`
	warningList
}

func (a *app) demo() *cobra.Command {
	path, pending := textFlag{noun: "FILE"}, false
	cmd := a.command(groupOther, "demo", "Try the program on an invented database", func(ctx context.Context, c *invocation) (result, error) {
		write := demo.Write
		if pending {
			write = demo.WritePending
		}
		if path.value != "" {
			to, err := checkedPath(c.closedDestinations(), path.value)
			if err != nil {
				return nil, err
			}
			return writeDemo(to, write)
		}
		return c.showDemo(ctx, write)
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

func writeDemo(path string, write demoWriter) (result, error) {
	for _, file := range data.FilesOf(path) {
		if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
			return nil, &existsError{fmt.Errorf("write the demo to %s: %w", file, errors.Join(data.ErrExists, err))}
		}
	}
	return &demoResult{Path: path}, write(path, time.Now())
}

// showDemo opens the UI on a demo that goes away with it.
func (c *invocation) showDemo(ctx context.Context, write demoWriter) (result, error) {
	folder, err := leftover.CreateFolder("demo") // Private to the user.
	if err != nil {
		return nil, err
	}
	path := filepath.Join(folder, "lcm.db")
	if !c.sys.interactive() || c.opts.JSON {
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
	o := (&screens{app: c.app}).options(db, openclaw.Locations{
		StateDir: folder, Database: path, FilesDir: filepath.Join(folder, "lcm-files"),
		Places: []openclaw.Place{{Where: "demo", Value: path}},
	}, nil)
	o.Databases = nil // The demonstration goes away when another database is opened.
	return nil, views.Run(ctx, o)
}

func (d *demoResult) Print(p *printer) { p.write(ui.Line(d.Path) + "\n") }
