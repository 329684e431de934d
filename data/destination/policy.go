package destination

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/openclaw"
	"lcm-tui/internal/hint"
)

// Policy knows the files whose place a named file must not take. The zero Policy knows none; it
// still refuses what is refused everywhere.
type Policy struct {
	database string   // The path of the database in hand, or empty.
	db       *data.DB // The same where it is open, or nil.
	closed   []place  // No file is written in them.
	kept     []place  // A file in them isn't replaced.
}

// place is the path of a folder or of a file, and what a file there is.
type place struct{ path, about string }

// ForFile returns the policy beside a database file that isn't open.
func ForFile(path string) *Policy {
	return &Policy{database: path, closed: []place{{data.TrashFolder(path), "a file of the trash"}}}
}

// ForDatabase returns the policy beside an open database and the files of its host.
func ForDatabase(db *data.DB, l openclaw.Locations) *Policy {
	l.Database = db.Path()
	p := ForLocations(l)
	p.db = db
	return p
}

// ForLocations returns the policy beside a database that isn't open and the files of its host.
func ForLocations(l openclaw.Locations) *Policy {
	const (
		ofAgents      = "a file of the host's agents"
		configuration = "the host's configuration"
	)
	p := ForFile(l.Database)
	for _, folder := range []string{l.FilesDir, filepath.Join(l.StateDir, "lcm-files")} {
		p.closed = append(p.closed, place{folder, "a large file of the host"})
	}
	p.kept = []place{
		{filepath.Join(l.StateDir, "agents"), ofAgents},
		{filepath.Join(l.StateDir, "openclaw.json"), configuration},
		{filepath.Join(l.StateDir, ".env"), configuration},
		{l.Host.Path, configuration},
		{l.Host.EnvPath, configuration},
	}
	for _, a := range l.Agents() {
		p.kept = append(p.kept, place{a.Folder, ofAgents})
	}
	return p
}

// refusal says why no file is written to a path.
func refusal(path, reason string) error {
	return hint.New("nothing was written to "+path+": "+reason, "give the name of a new file in another folder")
}

// Check fails where no file may be written, whether one is there or not.
func (p *Policy) Check(path string) error {
	path = resolve(path)
	_, missing := os.Lstat(p.database) // What is missing may be made there: salvaged, or copied from a backup.
	if p.database != "" && missing == nil && slices.ContainsFunc(data.FilesOf(p.database), func(own string) bool { return isSame(path, own) }) {
		return refusal(path, "that is the database itself")
	}
	if database, ok := data.SidecarOf(path); ok {
		return refusal(path, "SQLite would take it for a part of "+database)
	}
	return refuse(p.closed, path)
}

// CheckReplaced fails where no file may be written, or where one is there that
// must not be replaced.
func (p *Policy) CheckReplaced(ctx context.Context, path string) error {
	if err := p.Check(path); err != nil {
		return err
	}
	path = resolve(path)
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return refusal(path, "that is no regular file")
	case links(info) > 1:
		return refusal(path, "the file that is there has another name, too")
	case p.isCopy(path):
		return refusal(path, "that is a file which lcm-tui keeps for the database")
	}
	if err := refuse(p.kept, path); err != nil {
		return err
	}
	if err := p.checkNamed(ctx, path, info); err != nil {
		return err
	}
	return checkContent(path)
}

// refuse fails where a path is one of the places or lies in one.
func refuse(places []place, path string) error {
	for _, f := range places {
		if isIn(path, f.path) {
			return refusal(path, "that is "+f.about)
		}
	}
	return nil
}

// checkNamed fails where a row of the database names the file.
func (p *Policy) checkNamed(ctx context.Context, path string, info fs.FileInfo) error {
	if p.db == nil {
		return nil
	}
	named, err := lcm.NamedFiles(ctx, p.db)
	for _, name := range named {
		if other, err := os.Stat(name); err == nil && os.SameFile(info, other) {
			return refusal(path, "a row of the database names this file")
		}
	}
	return err
}

// isCopy reports whether a path is that of a backup or of another file that this program keeps
// beside the database.
func (p *Policy) isCopy(path string) bool {
	target := resolve(p.database)
	return p.database != "" && isSame(filepath.Dir(path), filepath.Dir(target)) && strings.HasPrefix(filepath.Base(path), filepath.Base(target)+".lcm-tui-")
}

// resolve returns a whole path without links in its folders. What stands there itself isn't followed.
func resolve(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(folder, filepath.Base(path))
	}
	return filepath.Clean(path)
}

// isIn reports whether a path is that of a folder or lies in it, whatever their names.
func isIn(path, folder string) bool {
	if folder == "" {
		return false
	}
	for {
		if isSame(path, folder) {
			return true
		}
		above := filepath.Dir(path)
		if above == path {
			return false
		}
		path = above
	}
}

// isSame reports whether two paths are equal or lead to one file.
func isSame(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) || resolve(a) == resolve(b) {
		return true
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
