package agents

import (
	"context"
	"fmt"
	"path/filepath"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/openclaw"
	"lcm-tui/data/promoted"
	"lcm-tui/ops"
	"lcm-tui/ops/backfill"
	"lcm-tui/ops/promote"
	"lcm-tui/ui"
)

// importAction takes over the entries of other databases.
const importAction = "import"

// imports plans to take over the entries of the databases that are named, else of all of lossless-claude on this
// machine.
func (f *memoryFlags) imports(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	paths := c.Args
	if len(paths) == 0 {
		for _, d := range c.Discover(ctx).Databases {
			if d.Program == openclaw.LosslessClaude {
				paths = append(paths, d.Path)
			}
		}
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("memory import: lossless-claude has no database on this machine; name one: %w", ops.ErrNothing)
	}
	folder, err := c.Sys.Folder()
	if err != nil {
		return nil, err
	}
	masker, err := c.Sys.MaskerHere()
	if err != nil {
		return nil, err
	}
	o := &promote.Import{Mask: masker.Mask}
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
		s := promote.Source{Path: path}
		if s.Project, err = f.projectOf(c, path, folder); err != nil {
			return nil, err
		}
		if s.Entries, err = readEntries(ctx, path); err != nil {
			return nil, err
		}
		o.Sources = append(o.Sources, s)
	}
	return c.Perform(ctx, o, f.apply)
}

// projectOf returns the project that the entries of a database get: that of its folder, or the one that is named.
func (f *memoryFlags) projectOf(c *cli.Invocation, path, folder string) (string, error) {
	if f.project.Value != "" {
		return projectNamed(c, f.project.Value), nil
	}
	project := openclaw.ProjectOf(filepath.Dir(path), folder)
	if project == "" {
		return "", cli.UsageErrorf("memory import: nothing says whose memory %s is; name the project with --project NAME, or all", ui.Line(path))
	}
	return backfill.ProjectOf(project), nil
}

// readEntries reads the entries of a database, which it doesn't change.
func readEntries(ctx context.Context, path string) ([]promoted.Entry, error) {
	db, err := data.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	return promoted.List(ctx, db)
}
