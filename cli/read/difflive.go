package read

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/internal/leftover"
	"lcm-tui/ops/diff/filepair"
)

// livePoll is how often a file is asked whether somebody has written.
const livePoll = 500 * time.Millisecond

// watch shows what changes in a database until the context ends: first a copy of it is made, then
// the file is compared with the copy whenever somebody has written, and a last time at the end.
func (d *diffFlags) watch(ctx context.Context, c *cli.Invocation, db *data.DB) (cli.Result, error) {
	folder, err := leftover.CreateFolder("diff")
	if err != nil {
		return nil, fmt.Errorf("make a temporary folder: %w", err)
	}
	defer leftover.RemoveFolder(folder)
	path := filepath.Join(folder, "before.db")
	at := db.Now()
	if _, err := db.Changed(ctx); err != nil { // From here on it tells what changed.
		return nil, err
	}
	if err := data.CopyDatabase(ctx, db, path, c.Progress()); err != nil {
		return nil, err
	}
	before, err := data.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer before.Close()
	r, err := d.request(ctx, c, before, db)
	if err != nil {
		return nil, err
	}
	r.Lineage = filepair.ByID
	from := &diffFile{db: before, name: db.Path() + " at " + at.Format(time.TimeOnly)}
	show := func(ctx context.Context) (cli.Result, error) { return d.compare(ctx, c, from, &diffFile{db: db}, r) }
	c.Wipe()
	fmt.Fprintln(c.Sys.Err, "watching "+db.Path()+"; ctrl-c ends it")
	for {
		took, err := d.awaitChange(ctx, c, db, show)
		if ctx.Err() != nil {
			c.Exit = cli.ExitDone
			return show(context.WithoutCancel(ctx))
		}
		if err != nil {
			return nil, err
		}
		select { // As long as comparing took, the file is left alone.
		case <-ctx.Done():
		case <-time.After(max(livePoll, took)):
		}
	}
}

// awaitChange prints what differs if somebody has written. It returns how long that took.
func (d *diffFlags) awaitChange(ctx context.Context, c *cli.Invocation, db *data.DB, show func(context.Context) (cli.Result, error)) (time.Duration, error) {
	changed, err := db.Changed(ctx)
	if err != nil || !changed {
		return 0, err
	}
	begun := time.Now()
	c.Exit = cli.ExitDone
	r, err := show(ctx)
	if err == nil && r != nil {
		c.Wipe()
		err = c.Emit(r, nil)
	}
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	return time.Since(begun), err
}
