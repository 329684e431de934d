package home

import (
	"context"
	"errors"
	"sync"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/parallel"
	"lcm-tui/views"
)

// overviewsMsg are the overviews of databases by their paths.
type overviewsMsg map[string]overviewResult

// overviewResult is an overview, or why there is none.
type overviewResult struct {
	overview lcm.Overview
	err      error
}

// overviewBatch is how many databases are read side by side before their rows are shown.
const overviewBatch = 4

// read reads the rows on screen that weren't read since the last load, then the others.
func (d *Databases) read() tea.Cmd {
	if d.env.Jobs.Running(d, "read") {
		return nil
	}
	var paths []string
	for _, rows := range [][]*databaseRow{d.list.Visible(), d.rows} {
		for _, r := range rows {
			if r.load != d.loads && len(paths) < overviewBatch {
				r.load = d.loads
				paths = append(paths, r.Path)
			}
		}
	}
	if len(paths) == 0 {
		return nil
	}
	now := d.env.Now()
	return d.env.Jobs.Quiet(d, "read", views.Read(func(ctx context.Context) (overviewsMsg, error) {
		return readOverviews(ctx, paths, func(ctx context.Context, path string) (lcm.Overview, error) {
			return lcm.ReadOverview(ctx, path, now)
		})
	}))
}

// readOverviews reads databases side by side.
func readOverviews(ctx context.Context, paths []string, read func(context.Context, string) (lcm.Overview, error)) (overviewsMsg, error) {
	out := overviewsMsg{}
	var mu sync.Mutex
	var wg parallel.Group
	for _, path := range paths {
		wg.Go(func() {
			o, err := read(ctx, path)
			mu.Lock()
			defer mu.Unlock()
			out[path] = overviewResult{o, err}
		})
	}
	wg.Wait()
	return out, ctx.Err()
}

func (d *Databases) receiveOverviews(m overviewsMsg) {
	for _, r := range d.rows {
		got, ok := m[r.Path]
		if !ok {
			continue
		}
		r.err = got.err
		r.overview = &got.overview
		if r.err != nil {
			r.overview, r.counts = nil, nil
		}
	}
	d.list.SetItems(d.rows) // The filter searches kinds, orders go by numbers.
}

// databaseCheckMsg is what the check of a database found.
type databaseCheckMsg struct {
	path   string
	counts integrity.Counts
	err    error
}

// maxUnaskedCheck is how large a database may be that is checked unasked, in bytes: a second's
// work.
const maxUnaskedCheck = 64 << 20

// check checks the next database on screen, once all are read, one at a time: they share the disk
// and the processor with the hosts that use them.
func (d *Databases) check() tea.Cmd {
	if d.env.Jobs.Running(d, "check") || d.env.Jobs.Running(d, "read") {
		return nil
	}
	rows := d.list.Visible()
	if len(rows) == 0 { // Nothing was drawn yet.
		rows = d.rows[:min(len(d.rows), firstRows)]
	}
	for _, r := range rows {
		if r.isCheckable() {
			path, files, machine, machines := r.Path, r.FilesDir, r.machine, d.env.Databases.Machines
			return d.env.Jobs.Quiet(d, "check", views.Read(func(ctx context.Context) (databaseCheckMsg, error) {
				if machine != nil {
					counts, err := checkCopy(ctx, machines, machine)
					return databaseCheckMsg{path, counts, err}, ctx.Err()
				}
				counts, err := checkDatabase(ctx, path, files)
				return databaseCheckMsg{path, counts, err}, ctx.Err()
			}))
		}
	}
	return nil
}

// isCheckable reports whether the database is to be checked: it is a small lcm.db without known
// damage, and wasn't checked yet.
func (r *databaseRow) isCheckable() bool {
	return r.overview != nil && len(r.overview.Warnings) == 0 && !r.overview.Kind.Relative &&
		r.counts == nil && r.checkErr == nil && r.Bytes <= maxUnaskedCheck
}

// checkDatabase opens a database, checks it and closes it.
func checkDatabase(ctx context.Context, path, files string) (counts integrity.Counts, err error) {
	db, err := data.Open(ctx, path)
	if err != nil {
		return counts, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	found, err := integrity.Check(ctx, db, integrity.Request{FilesDir: files}, nil)
	return found.Counts, err
}

func (d *Databases) receiveCheck(m databaseCheckMsg) {
	for _, r := range d.rows {
		if r.Path == m.path {
			r.counts, r.checkErr = &m.counts, m.err
			if m.err != nil {
				r.counts = nil
			}
		}
	}
	d.list.SetItems(d.rows)
}
