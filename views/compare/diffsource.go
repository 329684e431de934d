package compare

import (
	"context"
	"errors"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/ops/diff"
	"lcm-tui/ops/diff/filepair"
	"lcm-tui/views"
)

// diffSource says with what the database is compared.
type diffSource struct {
	name  string // What the other file is called.
	later bool   // The database is the later one of both: added is what the other lacks.
	// open opens both files, the earlier first.
	open func(ctx context.Context, db *data.DB) (*diffFiles, error)
}

// diffFiles are two open files.
type diffFiles struct {
	before, after *data.DB
	lineage       filepair.Lineage // Empty where it has to be found out.
	rebuilt       bool             // Both hold only what records changed.
	note          string
	close         func() error
}

// fileSource compares the database with another file; later says that the database is what became
// of it.
func fileSource(path string, later bool) diffSource {
	return diffSource{name: views.ShortenHome(path), later: later, open: func(ctx context.Context, db *data.DB) (*diffFiles, error) {
		other, err := data.Open(ctx, path)
		if err != nil {
			return nil, err
		}
		f := &diffFiles{before: db, after: other, close: other.Close}
		if later {
			f.before, f.after = other, db
		}
		return f, nil
	}}
}

// recordSource compares what the database was before a record with what it is now.
func recordSource(r *change.Record) diffSource {
	id := r.ID
	return diffSource{name: "before #" + views.Itoa(id), later: true, open: func(ctx context.Context, db *data.DB) (*diffFiles, error) {
		past, err := diff.BeforeRecord(ctx, db, id)
		if err != nil {
			return nil, err
		}
		return &diffFiles{before: past.Before, after: past.Now, lineage: filepair.ByID, rebuilt: true, note: past.Note(), close: past.Close}, nil
	}}
}

// compare opens both files, begins to compare them, and runs fn.
func (s diffSource) compare(ctx context.Context, db *data.DB, r diff.Request, fn func(*diff.Comparison, *diffFiles) error) error {
	files, err := s.open(ctx, db)
	if err != nil {
		return err
	}
	r.Lineage, r.Rebuilt = files.lineage, files.rebuilt
	c, err := diff.Open(ctx, files.before, files.after, r)
	if err != nil {
		return errors.Join(err, files.close())
	}
	return errors.Join(fn(c, files), c.Close(), files.close())
}
