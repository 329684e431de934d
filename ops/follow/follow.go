package follow

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/transcript"
	"lcm-tui/ops/backfill"
)

// Follower imports session files while they are written. Its methods are for one goroutine.
type Follower struct {
	DB    *data.DB
	Paths []string // Session files, and folders that have some at any depth.
	// Request is what the imports of all files share.
	Request backfill.Op
	// Positions keep how far each file was imported; nil keeps it while the Follower lives.
	Positions Positions
	// Ignores says of the working folder of a session that it isn't imported; nil ignores none.
	Ignores func(folder string) bool
	// Poll says that the file system isn't asked to tell what changed.
	Poll bool
	// Tell is called after each file of which something was imported, or couldn't be; or nil.
	Tell func(Import)
	// Looked is called each time all files were looked at, with those of which the newest couldn't be imported, and since
	// when they wait for it; or nil.
	Looked func(ctx context.Context, failing map[string]time.Time)

	files map[string]*file // By path, those that were looked at.
	busy  error
}

// Busy says why nothing was imported of some file when all were looked at last: another program kept the database locked. Nil is
// that there was no such file.
func (f *Follower) Busy() error { return f.busy }

// Positions keep how far session files were imported, by path.
type Positions interface {
	Position(ctx context.Context, path string) (p backfill.Position, ok bool, err error)
	SetPosition(ctx context.Context, path string, p backfill.Position) error
}

// Import is what became of one file.
type Import struct {
	Path    string
	Survey  backfill.Survey
	Records []int64
	Err     error // Why it wasn't imported, or not to its end; nothing after its last record is.

	waits bool // The last line has no end yet.
}

// mayGoOn reports whether the file has to be looked at again when it is quiet.
func (i *Import) mayGoOn() bool { return i.Err == nil && (i.Survey.Growing || i.waits) }

// ErrHostKeepsIt says that a transcript isn't followed, since it is OpenClaw's, whose host stores it.
var ErrHostKeepsIt = errors.New("its host stores this transcript itself: lcm-tui backfill imports those that the host put aside")

// errIgnored says that a session ran in a folder of which nothing is kept.
var errIgnored = errors.New("its folder is ignored")

// file is what is known of a session file.
type file struct {
	size    int64
	modTime time.Time
	// again is when it is looked at again although it hasn't changed; zero is never.
	again   time.Time
	refused bool // It isn't one that is followed.
	// failing is since when the file has something that couldn't be imported; zero is nothing.
	failing time.Time
}

// How long after a write the last answer of a file is taken for whole, and a busy database and a server that failed are tried again.
const (
	afterQuiet  = 11 * time.Second
	afterBusy   = time.Second
	afterServer = 5 * time.Second
)

// Once imports what all files have now, and returns how many were looked at. Files that can't be imported are
// reported, and don't stop it; a failure of the server does.
func (f *Follower) Once(ctx context.Context) (files int, err error) {
	f.busy = nil
	found, problems := List(ctx, f.Paths)
	for _, err := range problems {
		f.tell(Import{Err: err})
	}
	if err := f.learnStored(ctx); err != nil {
		return 0, err
	}
	for _, s := range found {
		if err = f.look(ctx, s); errors.Is(err, data.ErrServer) {
			break
		}
		if err != nil {
			return files, err
		}
		files++
	}
	if f.Looked != nil && ctx.Err() == nil {
		failing := map[string]time.Time{}
		for path, known := range f.files {
			if !known.failing.IsZero() {
				failing[path] = known.failing
			}
		}
		f.Looked(ctx, failing)
	}
	return files, cmp.Or(ctx.Err(), err)
}

// Session is a session file as it lies on the disk.
type Session struct {
	Path    string
	Size    int64
	ModTime time.Time
}

// List finds the session files at some paths, those that were written longest ago first: an agent's program
// deletes old ones. It follows no links within folders, and lists no files that a host put aside. What can't be
// read is returned with the rest.
func List(ctx context.Context, paths []string) (found []Session, problems []error) {
	for _, path := range paths {
		root, err := realPath(path)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case errors.Is(err, fs.ErrNotExist): // It was deleted in this moment.
			case err != nil:
				problems = append(problems, err)
			case d.Type().IsRegular() && isSession(path):
				if info, err := d.Info(); err == nil {
					found = append(found, Session{path, info.Size(), info.ModTime()})
				}
			}
			return nil
		})
		if err != nil {
			problems = append(problems, err)
		}
	}
	slices.SortFunc(found, func(a, b Session) int {
		if c := a.ModTime.Compare(b.ModTime); c != 0 {
			return c
		}
		return strings.Compare(a.Path, b.Path)
	})
	return slices.CompactFunc(found, func(a, b Session) bool { return a.Path == b.Path }), problems
}

// realPath returns a path as it is from any working folder, with its links followed: files are known by it.
func realPath(path string) (string, error) {
	whole, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(whole)
}

// isSession reports whether a file is called like a session file that is still in use.
func isSession(path string) bool {
	return backfill.Named(path) && !backfill.Archived(path)
}

// learnStored notes the files that were imported to their end, as the database says.
func (f *Follower) learnStored(ctx context.Context) error {
	if f.files != nil {
		return nil
	}
	stored, err := lcm.Bootstraps(ctx, f.DB)
	if err != nil {
		return err
	}
	f.files = map[string]*file{}
	for _, b := range stored {
		if b.Offset == b.Size {
			f.files[b.Path] = &file{size: b.Size, modTime: time.UnixMilli(b.ModTimeMS)}
		}
	}
	return nil
}

// isDue reports whether a file has to be looked at.
func (k *file) isDue(s Session, now time.Time) bool {
	changed := k.size != s.Size || k.modTime.UnixMilli() != s.ModTime.UnixMilli()
	return changed && !k.refused || !k.again.IsZero() && !now.Before(k.again)
}

// look imports a file if it has to be looked at. The error ends the following, or is the server's: then no other file can be imported now, and the
// file is looked at again.
func (f *Follower) look(ctx context.Context, s Session) error {
	if err := f.learnStored(ctx); err != nil {
		return err
	}
	known := f.files[s.Path]
	if known != nil && !known.isDue(s, f.DB.Now()) || s.Size == 0 {
		return nil
	}
	if f.busy != nil { // The lock was waited for already. Whether the file has something to import isn't known.
		later := &file{size: -1, modTime: s.ModTime, again: f.DB.Now().Add(afterBusy)}
		if known != nil {
			later.failing = known.failing
		}
		f.files[s.Path] = later
		return nil
	}
	now := &file{size: s.Size, modTime: s.ModTime}
	one := f.importFile(ctx, s.Path)
	if err := ctx.Err(); err != nil {
		return err
	}
	if errors.Is(one.Err, data.ErrServer) { // It may have an error of the file system in it, that of a socket.
		f.files[s.Path] = &file{size: -1, modTime: s.ModTime, again: f.DB.Now().Add(afterServer), failing: known.failingSince(s.ModTime)}
		return one.Err
	}
	f.judge(&one, now, s)
	if one.Err != nil && !now.refused || !now.again.IsZero() && !one.mayGoOn() {
		now.failing = known.failingSince(s.ModTime)
	}
	f.files[s.Path] = now
	if one.Err != nil || len(one.Records) > 0 {
		f.tell(one)
	}
	if slices.ContainsFunc(ending, func(kind error) bool { return errors.Is(one.Err, kind) }) {
		return one.Err // No other file can be written either.
	}
	return nil
}

// judge notes whether and when a file is looked at again after an import, and takes away an error that isn't one.
func (f *Follower) judge(one *Import, now *file, s Session) {
	var unknown *transcript.UnknownError
	var filtered *backfill.FilteredError
	switch {
	case errors.Is(one.Err, fs.ErrNotExist):
		one.Err = nil // It was deleted in this moment.
	case errors.Is(one.Err, errIgnored):
		now.refused, one.Err = true, nil
	case errors.Is(one.Err, ErrHostKeepsIt), errors.As(one.Err, &filtered):
		now.refused = true
	case errors.As(one.Err, &unknown):
		one.Err = nil // Not a session file as yet: the next write may show it.
	case errors.Is(one.Err, data.ErrLocked):
		f.busy = one.Err
		now.again, one.Err = f.DB.Now().Add(afterBusy), nil
	case one.mayGoOn():
		now.again = s.ModTime.Add(afterQuiet)
		if wait := f.DB.Now().Add(afterQuiet); now.again.After(wait) {
			now.again = wait // A clock was set back.
		}
	}
}

// failingSince returns since when a file fails that fails now, as of the time of its newest text.
func (k *file) failingSince(now time.Time) time.Time {
	if k != nil && !k.failing.IsZero() {
		return k.failing
	}
	return now
}

// ending are the errors after which nothing more is followed.
var ending = []error{
	data.ErrFull, data.ErrDamaged, data.ErrReadOnly, data.ErrPermission, data.ErrMissing, data.ErrVanished, data.ErrReplaced, data.ErrEmptied, data.ErrCutOff,
}

func (f *Follower) tell(one Import) {
	if f.Tell != nil {
		f.Tell(one)
	}
}

// importFile imports what a file has more than before.
func (f *Follower) importFile(ctx context.Context, path string) (one Import) {
	one.Path = path
	o := f.Request
	o.Path, o.Follow = path, true
	defer o.Close()
	folder := ""
	if p, ok, err := f.positions().Position(ctx, path); err == nil && ok {
		o.From, folder = &p, p.Session.CWD
	} else if file, err := transcript.Open(ctx, path); err != nil || file.Kind == transcript.OpenClaw {
		one.Err = err
		if err == nil {
			one.Err = ErrHostKeepsIt
		}
		return one
	} else {
		folder = file.Session.CWD
	}
	if f.Ignores != nil && f.Ignores(folder) {
		one.Err = errIgnored
		return one
	}
	one.Records, one.Err = o.Import(ctx, f.DB, func(int, int, string) {})
	one.Survey, one.waits = o.Done(), o.Waits()
	if p, ok := o.Reached(); ok && one.Err == nil {
		one.Err = f.positions().SetPosition(ctx, path, p)
	}
	return one
}

func (f *Follower) positions() Positions {
	if f.Positions == nil {
		f.Positions = memory{}
	}
	return f.Positions
}

// memory keeps positions while the program runs.
type memory map[string]backfill.Position

// Position implements Positions.
func (m memory) Position(_ context.Context, path string) (p backfill.Position, ok bool, err error) {
	p, ok = m[path]
	return p, ok, nil
}

// SetPosition implements Positions.
func (m memory) SetPosition(_ context.Context, path string, p backfill.Position) error {
	m[path] = p
	return nil
}

// stat returns a file as it lies on the disk; not ok if it is none.
func stat(path string) (Session, bool) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || !isSession(path) {
		return Session{}, false
	}
	return Session{path, info.Size(), info.ModTime()}, true
}
