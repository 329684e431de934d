package read

import (
	"context"
	"fmt"
	"time"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/internal/hint"
	"lcm-tui/ops/diff"
	"lcm-tui/ops/diff/filepair"
)

// diffFile is one of the files that diff compares.
type diffFile struct {
	db      *data.DB
	name    string           // What it is called in place of its path, or empty.
	lineage filepair.Lineage // How it is related to the other file, where that is known.
	rebuilt bool             // It holds only what records changed.
	notes   []string
	close   func()
}

// describe puts the file's name into a report.
func (f *diffFile) describe(to *diff.File) {
	if f.name != "" {
		to.Path = f.name
	}
}

// files returns what the arguments name, the earlier first. The database itself stays open.
func (d *diffFlags) files(ctx context.Context, c *cli.Invocation, db *data.DB) (before, after *diffFile, err error) {
	own := &diffFile{db: db, close: func() {}}
	switch {
	case d.beforeRecord.IsSet:
		return pastFiles(ctx, db, d.beforeRecord.Value)
	case d.sinceBackup:
		path, err := newestBackup(db.Path())
		if err != nil {
			return nil, nil, err
		}
		before, err = openDiffFile(ctx, c, path)
		return before, own, err
	}
	if after, err = openDiffFile(ctx, c, c.Args[0]); err != nil {
		return nil, nil, err
	}
	if d.reverse {
		return after, own, nil
	}
	return own, after, nil
}

// openDiffFile opens the file to compare with.
func openDiffFile(ctx context.Context, c *cli.Invocation, path string) (*diffFile, error) {
	db, err := c.OpenFile(ctx, path)
	if err != nil {
		return nil, err
	}
	return &diffFile{db: db, close: func() { _ = db.Close() }}, nil // It only read.
}

// pastFiles returns what the database was before a record, and what it is now.
func pastFiles(ctx context.Context, db *data.DB, record int64) (before, after *diffFile, err error) {
	past, err := diff.BeforeRecord(ctx, db, record)
	if err != nil {
		return nil, nil, err
	}
	before = &diffFile{db: past.Before, name: fmt.Sprintf("%s before record #%d", db.Path(), record), lineage: filepair.ByID, rebuilt: true, close: func() {}}
	after = &diffFile{db: past.Now, name: db.Path(), close: func() { _ = past.Close() }} // It is temporary.
	if note := past.Note(); note != "" {
		before.notes = []string{note}
	}
	return before, after, nil
}

// newestBackup returns the backup beside a database that was written last.
func newestBackup(path string) (newest string, err error) {
	found, err := data.Backups(path)
	if err != nil {
		return "", err
	}
	var at time.Time
	for _, f := range found {
		if f.Bytes > 0 && f.ModifiedAt.After(at) {
			newest, at = f.Path, f.ModifiedAt
		}
	}
	if newest == "" {
		return "", hint.New("there is no backup beside "+path, "lcm-tui backup makes one; or name a file: lcm-tui diff OTHER.db")
	}
	return newest, nil
}
