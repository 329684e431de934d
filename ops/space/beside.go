package space

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// Beside is what lies beside a database on the disk and belongs to it. Nothing of it is opened.
type Beside struct {
	// Named are large files that a row of large_files names, and Unnamed those in the folder
	// of large files that no row of this database names; another database may share the folder.
	Named, Unnamed FileCount
	// Backups are copies of the database beside it, Trash what was removed from it, and Cache
	// the answers of models.
	Backups, Trash, Cache FileCount
	// Leftovers are what killed commands left, and LeftoverPaths where it lies: files, and folders.
	Leftovers     FileCount
	LeftoverPaths []string
}

// FileCount is a number of files, and their bytes.
type FileCount struct{ Files, Bytes int64 }

// Bytes returns all that lies beside the database.
func (b *Beside) Bytes() int64 {
	return b.Named.Bytes + b.Unnamed.Bytes + b.Backups.Bytes + b.Trash.Bytes + b.Cache.Bytes
}

// Folders are where files that belong to a database lie. Those that aren't known are empty.
type Folders struct{ LargeFiles, Trash, Cache string }

// ReadBeside counts what lies beside a database: nothing where its rows are on a server. A folder that can't be read counts as empty.
func ReadBeside(ctx context.Context, db *data.DB, folders Folders) (b Beside, err error) {
	if _, server := db.Replica(); server {
		return b, nil
	}
	named, err := namedFiles(ctx, db)
	if err != nil {
		return b, err
	}
	err = eachFile(ctx, folders.LargeFiles, func(path string, info fs.FileInfo) {
		if named.has(path) {
			b.Named.add(info)
			return
		}
		b.Unnamed.add(info)
	})
	for folder, count := range map[string]*FileCount{folders.Trash: &b.Trash, folders.Cache: &b.Cache} {
		if err == nil {
			err = eachFile(ctx, folder, func(_ string, info fs.FileInfo) { count.add(info) })
		}
	}
	for _, path := range data.Leftovers(db.Path()) {
		b.LeftoverPaths = append(b.LeftoverPaths, path)
		if err == nil {
			err = eachFile(ctx, path, func(_ string, info fs.FileInfo) { b.Leftovers.add(info) })
		}
	}
	backups, unreadable := data.Backups(db.Path())
	if unreadable == nil {
		for _, f := range backups {
			b.Backups.Files, b.Backups.Bytes = b.Backups.Files+1, b.Backups.Bytes+f.Bytes
		}
	}
	return b, err
}

func (c *FileCount) add(info fs.FileInfo) { c.Files, c.Bytes = c.Files+1, c.Bytes+info.Size() }

// eachFile calls fn with every regular file below a folder. It follows no links.
func eachFile(ctx context.Context, folder string, fn func(path string, info fs.FileInfo)) error {
	if folder == "" {
		return nil
	}
	return filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil || !e.Type().IsRegular() {
			return nil // What can't be read isn't counted.
		}
		if info, err := e.Info(); err == nil {
			fn(path, info)
		}
		return nil
	})
}

// fileNames are the ids and the paths that rows of large_files have.
type fileNames map[string]bool

// has reports whether a row names the file at path: by its path, or by the id in its name,
// since a database may have been moved together with its files.
func (n fileNames) has(path string) bool {
	found := n[path]
	lcm.EachFileID(filepath.Base(path), func(_ int, id string) { found = found || n[id] })
	return found
}

// namedFiles reads which files the rows of large_files name.
func namedFiles(ctx context.Context, db *data.DB) (fileNames, error) {
	names := fileNames{}
	s := db.Schema()
	if !s.Has("large_files", "file_id") {
		return names, nil
	}
	query := "SELECT t.file_id, " + column(s, "large_files", "t", "storage_uri") + " FROM main.large_files t"
	err := db.EachRow(ctx, "read large files of", query, nil, func(scan data.RowScanner) error {
		var id, uri data.Text
		err := scan(&id, &uri)
		names[strings.ToLower(string(id))], names[strings.TrimPrefix(string(uri), "file://")] = true, true
		return err
	})
	return names, err
}
