package reclaim

import (
	"context"
	"path/filepath"

	"lcm-tui/data"
	"lcm-tui/internal/filesystem"
)

// Estimate is what File would do, as far as that can be said without writing.
type Estimate struct {
	Path    string   `json:"path"`
	Method  Method   `json:"method"`
	Before  Sizes    `json:"before"`
	After   Sizes    `json:"after"`
	InUseBy []string `json:"in_use_by,omitempty"`
	// Needed is the room that has to be free on the disk of the folder, and Free what is, in bytes.
	// Free is nil where the system doesn't tell.
	Needed int64    `json:"needed_bytes"`
	Free   *int64   `json:"free_disk_bytes"`
	Notes  []string `json:"notes,omitempty"`
}

// EstimateOf estimates what File would give back. rewritten is the size of the file after it is rewritten,
// in bytes, as space forecasts it. It only reads, so whether somebody has the file
// open is known only where the system shows it.
func EstimateOf(ctx context.Context, db *data.DB, rewritten int64, o Options) (e Estimate, err error) {
	if e.Path, err = realPath(db.Path()); err != nil {
		return e, err
	}
	const query = "SELECT p.page_count, f.freelist_count, s.page_size, a.auto_vacuum FROM pragma_page_count p, pragma_freelist_count f, pragma_page_size s, pragma_auto_vacuum a"
	var pages, free, size, mode int64
	err = db.EachRow(ctx, "measure", query, nil, func(scan data.RowScanner) error { return scan(&pages, &free, &size, &mode) })
	if err != nil {
		return e, err
	}
	e.InUseBy, e.Before = data.HolderNames(e.Path), measureFiles(e.Path)
	e.Before.Free = free * size
	e.choose(o, rewritten)
	if content := (pages - free) * size; e.Method == MethodWAL || e.Method == MethodSteps {
		e.After = Sizes{File: pages * size, Free: e.Before.Free}
		if e.Method == MethodSteps && mode == autoVacuumIncremental {
			e.After = Sizes{File: content}
		}
	}
	return e, nil
}

// choose fills in how the file would be rewritten, to so many bytes, and the room that this needs.
func (e *Estimate) choose(o Options, rewritten int64) {
	e.After = Sizes{File: rewritten}
	folder := filepath.Dir(e.Path)
	switch why := unswappable(e.Path); {
	case o.WAL:
		e.Method = MethodWAL
	case len(e.InUseBy) > 0 && !o.Online:
		e.Method = MethodSteps
		e.Notes = append(e.Notes, "another program has the file open, so it wouldn't be rewritten")
	case len(e.InUseBy) > 0, why != "":
		e.Method, e.Needed = MethodVacuum, vacuumSpace(e.Path, rewritten)[folder]
	default:
		e.Method, e.Needed = MethodSwap, withMargin(rewritten)
	}
	if free, known := filesystem.FreeSpace(folder); known {
		e.Free = &free
	}
}
