package integrity

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity/scan"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/plural"
)

// largeFileCheck checks the large files of a conversation.
type largeFileCheck struct {
	found        *findings
	conv         int64
	folder       string          // The files folder; empty: files aren't looked at.
	unreferenced map[string]bool // Those that no text names.
	elsewhere    []string        // Those of which the folder isn't on this machine.
}

// checkFiles checks the conversation's large files on disk.
func (c *largeFileCheck) checkFiles(ctx context.Context, db *data.DB) error {
	files, err := lcm.LargeFiles(ctx, db, c.conv)
	if err != nil {
		return err
	}
	here := slices.ContainsFunc(files, func(f lcm.LargeFile) bool {
		_, err := data.PathInside(c.folder, f.URI)
		return c.folder != "" && err == nil
	})
	for _, f := range files {
		if c.folder != "" {
			c.checkFile(f, here)
		}
		if mark := summarize.Detect(f.Exploration, ""); mark != summarize.None {
			c.found.add(FilePromptStored, rowAt("large_files", f.ID), "no model described it: "+clip(f.Exploration))
		}
		if c.unreferenced[f.ID] {
			c.found.add(FileUnreferenced, rowAt("large_files", f.ID), "no message, part or summary of the conversation names it")
		}
	}
	if len(c.elsewhere) > 0 {
		c.found.add(FileWrong, rowAt("large_files", c.elsewhere[0]), plural.Count(len(c.elsewhere), "file", "files")+": the folder that the rows name isn't on this machine, so nothing is known", c.elsewhere...).downgrade()
	}
	return nil
}

// checkFile checks the path of one file. Where the folder that the row names isn't on this
// machine, and no file of the conversation is here, the database came from elsewhere, and
// nothing is known about its files.
func (c *largeFileCheck) checkFile(f lcm.LargeFile, here bool) {
	where := rowAt("large_files", f.ID)
	path := strings.TrimPrefix(f.URI, "file://")
	name, err := data.PathInside(c.folder, path)
	usual := c.isUsualPath(f, path)
	switch {
	case err == nil:
		c.checkFileSize(f, filepath.Join(c.folder, name), where)
	case usual && !c.isInFilesFolder(path) && c.isMoved(f):
		f := c.found.add(FileWrong, where, "the row says "+clip(path)+", and the file is in "+clip(c.folder))
		if !here && !isFolder(filesFolderOf(path)) {
			f.downgrade() // The database was copied here, with its folder.
		}
	case !here && isUnknownFolder(path, usual):
		c.elsewhere = append(c.elsewhere, f.ID)
	case isFile(path):
		f := c.found.add(FileWrong, where, "it lies outside of the files folder "+clip(c.folder)+": "+clip(path))
		if !isFolder(c.folder) {
			f.downgrade() // Whether the folder is the right one is a guess.
		}
	case errors.Is(err, data.ErrOutsideFolder) && !usual:
		c.found.add(FileWrong, where, "its path leads out of the files folder, and there is no file: "+clip(path))
	default:
		c.found.add(FileWrong, where, "there is no file "+clip(path))
	}
}

// isUsualPath reports whether a path has the form that hosts use:
// FOLDER/CONVERSATION/ID.EXTENSION.
func (c *largeFileCheck) isUsualPath(f lcm.LargeFile, path string) bool {
	base := filepath.Base(path)
	return filepath.IsAbs(path) && filepath.Base(filepath.Dir(path)) == formatID(c.conv) &&
		strings.TrimSuffix(base, filepath.Ext(base)) == f.ID
}

// isUnknownFolder reports whether the folder of a path isn't on this machine, so that
// nothing is known about the file.
func isUnknownFolder(path string, usual bool) bool {
	if usual {
		return !isFolder(filesFolderOf(path))
	}
	return filepath.IsAbs(path) && filepath.Clean(path) == path && !isFolder(filepath.Dir(path)) && !isFolder(filesFolderOf(path))
}

// filesFolderOf returns the files folder of a path of the usual form.
func filesFolderOf(path string) string { return filepath.Dir(filepath.Dir(path)) }

// isInFilesFolder reports whether a path of the usual form lies in the files folder of the
// request.
func (c *largeFileCheck) isInFilesFolder(path string) bool {
	return filesFolderOf(path) == filepath.Clean(c.folder)
}

// isMoved reports whether a file lies in the files folder although its row names another
// path.
func (c *largeFileCheck) isMoved(f lcm.LargeFile) bool {
	at, err := lcm.FindLargeFile(f, c.folder)
	return err == nil && at.Moved
}

// isFolder reports whether a path is a folder that can be looked at.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// isFile reports whether a path is a regular file that can be looked at.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// checkFileSize compares the size of a file with that of its row.
func (c *largeFileCheck) checkFileSize(f lcm.LargeFile, path string, where location) {
	info, err := os.Stat(path)
	switch {
	case err != nil || !info.Mode().IsRegular():
		c.found.add(FileWrong, where, "not a file that can be read: "+clip(path))
	case f.Bytes != 0 && info.Size() != f.Bytes:
		c.found.add(FileWrong, where, fmt.Sprintf("the file has %d bytes, the row says %d", info.Size(), f.Bytes))
	}
}

// checkFilesFolder finds files in the files folder that have no row.
func (c *storageCheck) checkFilesFolder(ctx context.Context) error {
	if c.file.FilesDir == "" || !isFolder(c.file.FilesDir) {
		return nil
	}
	return filepath.WalkDir(c.file.FilesDir, func(path string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil || !d.Type().IsRegular() {
			return nil // Nothing is known about what can't be looked at.
		}
		id := strings.TrimSuffix(d.Name(), filepath.Ext(d.Name()))
		if strings.HasPrefix(id, scan.FileMark) && (len(id) == scan.FileSize || len(id) == scan.LongFileSize) && !c.file.hasFileRow(id) {
			c.found.add(FileUnreferenced, rowAt("files", id), "no row knows the file "+clip(path))
		}
		return nil
	})
}
