package openclaw

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lcm-tui/internal/hint"
)

// Database is a file at a place where a program keeps an lcm.db. Nothing of it was read: it may
// be no database at all.
type Database struct {
	Path string // Absolute.
	// Program is whose place it is: "OpenClaw", "Pi", "NanoClaw", "lossless-claude" or "Hermes";
	// empty for a file that was named.
	Program string
	// Found says how it was found, such as "--db", "LCM_DATABASE_PATH" or the path of an
	// openclaw.json.
	Found string
	// StateDir is the state folder of the OpenClaw that uses the file; empty where none does.
	StateDir string
	// FilesDir is the folder of its large files.
	FilesDir string
	// Project is the folder of the project whose memory it is, or empty.
	Project string
	// SameFile are other paths that lead to the same file, by a link.
	SameFile []string
	// Machine is the one of whose database it is a copy; empty where it is none.
	Machine string
	// Default says that it is opened where nobody chooses.
	Default bool
	// Regular says that it is a file with something in it.
	Regular bool
	// Bytes is the size of the file and its -wal. Modified is the newer of their times.
	Bytes    int64
	Modified time.Time

	info fs.FileInfo
	host Config // Of the state folder.
}

// Searched is a place that was looked at for databases.
type Searched struct {
	Where string // Whose place it is, or what names it.
	Path  string // Where that is; a * stands for any name.
	Found int    // How many files were there.
}

// Discovery is the files that may be databases, and where they were looked for.
type Discovery struct {
	// Databases are in order: the default one first, then the others by their newest write.
	Databases []Database
	Searched  []Searched
	// Problems are what kept a place from being looked at, such as a folder that can't be read.
	Problems []error
	// Unread says that one of them is about a place that the user named.
	Unread bool
}

// Readable returns the databases that are files with something in them.
func (d Discovery) Readable() (out []Database) {
	for _, db := range d.Databases {
		if db.Regular {
			out = append(out, db)
		}
	}
	return out
}

// OfThisMachine returns those of the readable databases that are no copies of other machines'.
func (d Discovery) OfThisMachine() []Database {
	return slices.DeleteFunc(d.Readable(), func(db Database) bool { return db.Machine != "" })
}

// Request says what Discover looks for.
type Request struct {
	// Named are the paths that the user named. If there are several, only they are looked at.
	Named []string
	// StateDir is the state folder that the user named, or empty.
	StateDir string
	// Copies are databases of other machines, of which copies lie here.
	Copies []Database
	// WorkDir is the working folder; a NanoClaw project may lie there or above. Empty is none.
	WorkDir string
	// MaxEntries is how many files and folders are looked at in a search through folders; 0 is
	// 20,000.
	MaxEntries int
	Env        Getenv
}

// Discover finds the files of this machine that may be databases, by their names and places
// alone: it opens none of them. When ctx ends it returns what it found so far.
func Discover(ctx context.Context, r Request) Discovery {
	r.MaxEntries = cmp.Or(r.MaxEntries, maxEntries)
	d := &discoverer{ctx: ctx, Request: r}
	for _, path := range r.Named {
		d.named(Database{Path: ExpandHome(path, r.Env), Found: "--db"})
	}
	if len(r.Named) < 2 {
		d.ofEnvironment()
		d.ofHome()
		for _, db := range r.Copies {
			d.probe(db)
		}
	}
	d.sort()
	return d.Discovery
}

// discoverer is one run of Discover.
type discoverer struct {
	Discovery
	Request
	ctx   context.Context
	files int // How many files were found, with those that were found before.
}

// problem notes what kept a place from being looked at. What isn't there is no problem.
func (d *discoverer) problem(path string, err error) {
	if err == nil || isAbsent(err) {
		return
	}
	why := err
	if named := (*fs.PathError)(nil); errors.As(err, &named) {
		why = named.Err // The text has the path already.
	}
	d.Problems = append(d.Problems, &hint.Error{Text: fmt.Sprintf("look for databases in %s: %v", path, why), Next: "the other places were searched", Err: err})
}

// named adds a file that the user, or the host's configuration, named, even if it isn't there:
// opening it says so.
func (d *discoverer) named(db Database) {
	db.Path = absolute(db.Path)
	d.search(db.Found, db.Path, func() {
		if !d.probe(db) {
			d.add(db, nil)
		}
	})
}

// probe adds the file at db.Path, if there is one, and reports whether there is.
func (d *discoverer) probe(db Database) bool {
	info, err := os.Stat(db.Path)
	if err != nil {
		d.problem(db.Path, err)
		return false
	}
	d.files++
	d.add(db, info)
	return true
}

// add adds a file. One that is there already under another path is added to that. What was
// named is the default one, else what is added first.
func (d *discoverer) add(db Database, info fs.FileInfo) {
	db.Path = absolute(db.Path)
	for i := range d.Databases {
		known := &d.Databases[i]
		if known.Path != db.Path && (info == nil || known.info == nil || !os.SameFile(known.info, info)) {
			continue
		}
		if known.Path != db.Path && !slices.Contains(known.SameFile, db.Path) {
			known.SameFile = append(known.SameFile, db.Path)
		}
		known.Program, known.Project = cmp.Or(known.Program, db.Program), cmp.Or(known.Project, db.Project)
		known.StateDir = cmp.Or(known.StateDir, db.StateDir)
		return
	}
	db.Default = len(d.Databases) == 0 && db.Machine == ""
	db.FilesDir = Locations{StateDir: cmp.Or(db.StateDir, filepath.Dir(db.Path)), Database: db.Path, Host: db.host}.filesDir(d.Env)
	db.measure(info)
	d.Databases = append(d.Databases, db)
}

// measure notes size and time of the file and its -wal, which lies beside the file that a link
// leads to.
func (db *Database) measure(info fs.FileInfo) {
	if info == nil {
		return
	}
	db.info, db.Bytes, db.Modified = info, info.Size(), info.ModTime()
	if !info.Mode().IsRegular() {
		db.Bytes = 0
		return
	}
	target, err := filepath.EvalSymlinks(db.Path)
	if err != nil {
		target = db.Path
	}
	if wal, err := os.Stat(target + "-wal"); err == nil {
		db.Bytes += wal.Size()
		if wal.ModTime().After(db.Modified) {
			db.Modified = wal.ModTime()
		}
	}
	db.Regular = db.Bytes > 0
}

func (d *discoverer) sort() {
	slices.SortStableFunc(d.Databases, func(a, b Database) int {
		switch {
		case a.Default != b.Default && a.Default:
			return -1
		case a.Default != b.Default:
			return 1
		case len(d.Named) > 1:
			return 0 // They stay as they were named.
		}
		return cmp.Or(b.Modified.Compare(a.Modified), strings.Compare(a.Path, b.Path))
	})
}

func absolute(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}
