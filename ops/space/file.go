package space

import (
	"context"
	"path/filepath"

	"lcm-tui/data"
)

// File is what the header of a database and the file system say of it. All of it is read in a
// moment, also on a large file.
type File struct {
	Path string
	// Bytes is the size of the file and WALBytes that of its -wal, as the file system has them.
	Bytes, WALBytes int64
	// PageSize is in bytes; Reserved of these stay unused at the end of every page.
	PageSize, Reserved int64
	// Pages are all pages of the database, those included that are only in the -wal yet, and
	// FreePages those of them that hold nothing.
	Pages, FreePages int64
	// IsServer says that the rows are in a home or a replica: no page is free there that could be counted, and nothing is given back.
	IsServer bool
	// AutoVacuum is 0 for a database that keeps its free pages, 1 for one that gives them back
	// at every commit, and 2 for one that gives them back when it is asked to.
	AutoVacuum int64
}

// FreeBytes returns the size of the pages that hold nothing.
func (f File) FreeBytes() int64 { return f.FreePages * f.PageSize }

// DatabaseBytes returns the size of all pages: that of the file once its -wal is written into it.
func (f File) DatabaseBytes() int64 { return f.Pages * f.PageSize }

// ReadFile reads what the header says of the file that is open.
func ReadFile(ctx context.Context, db *data.DB) (File, error) {
	f := File{Path: db.Path()}
	if path, err := filepath.EvalSymlinks(f.Path); err == nil {
		f.Path = path // SQLite makes the -wal beside the file itself.
	}
	f.Bytes, f.WALBytes = data.FileBytes(f.Path)
	pragmas := []struct {
		name string
		to   *int64
	}{{"page_size", &f.PageSize}, {"page_count", &f.Pages}, {"freelist_count", &f.FreePages}, {"auto_vacuum", &f.AutoVacuum}}
	for _, p := range pragmas {
		err := db.EachRow(ctx, "read the size of", "PRAGMA main."+p.name, nil, func(scan data.RowScanner) error { return scan(p.to) })
		if err != nil {
			return f, err
		}
	}
	return f, nil
}

// AutoVacuumName returns what SQLite calls the setting: none, full or incremental.
func (f File) AutoVacuumName() string {
	switch f.AutoVacuum {
	case 1:
		return "full"
	case 2:
		return "incremental"
	}
	return "none"
}
