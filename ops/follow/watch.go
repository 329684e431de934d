package follow

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"

	"lcm-tui/data"
)

// How often is looked: debounce is how long further changes of files are waited for, apart how long a batch comes
// after the one before, pollEvery how often folders and files that were written in the last hour are looked at,
// and walkEvery how often all are, whatever the file system said.
const (
	debounce  = 100 * time.Millisecond
	apart     = 250 * time.Millisecond
	pollEvery = time.Second
	walkEvery = 30 * time.Second
	recent    = time.Hour
)

// Run imports what there is, and then what is appended, until ctx ends, which is no error.
func (f *Follower) Run(ctx context.Context) error {
	w := &watcher{follower: f, folders: map[string]time.Time{}, roots: map[string]bool{}, single: map[string]bool{}}
	if !f.Poll && tells {
		w.notify, _ = fsnotify.NewWatcher() // Without it folders are polled.
	}
	defer w.close()
	err := w.loop(ctx)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// tells says that the file system tells what changes in a folder without holding each file of it open.
const tells = runtime.GOOS == "linux" || runtime.GOOS == "windows"

// watcher knows which folders are watched, and how.
type watcher struct {
	follower *Follower
	notify   *fsnotify.Watcher    // Nil where folders are polled.
	folders  map[string]time.Time // With their times when they were listed last.
	// roots are the folders that are followed with all below them, and single the files that are followed alone, in folders
	// that are watched for them.
	roots      map[string]bool
	single     map[string]bool
	walk, poll *time.Ticker
	last       time.Time // When files were looked at because of events.
	failed     string    // How the server of a home fails, or empty.
}

// once watches the folders as they are now, and imports what all files have.
func (w *watcher) once(ctx context.Context) error {
	for _, path := range w.follower.Paths {
		if root, err := realPath(path); err == nil {
			w.addRoot(ctx, root)
		}
	}
	_, err := w.follower.Once(ctx)
	return err
}

func (w *watcher) close() {
	if w.notify != nil {
		_ = w.notify.Close()
	}
}

// addRoot watches what is followed: a folder and those below it, or a file.
func (w *watcher) addRoot(ctx context.Context, path string) {
	info, err := os.Stat(path)
	switch {
	case err != nil: // List reports it.
	case info.IsDir():
		w.roots[path] = true
		w.add(ctx, path)
	case isSession(path):
		w.single[path] = true
		w.watch(filepath.Dir(path))
	}
}

// add watches a folder and those below it, and returns the session files in them.
func (w *watcher) add(ctx context.Context, folder string) (sessions []string) {
	_ = filepath.WalkDir(folder, func(at string, d fs.DirEntry, err error) error { // List reports what can't be read.
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return nil
		case d.IsDir():
			w.watch(at)
		case isSession(at):
			sessions = append(sessions, at)
		}
		return nil
	})
	return sessions
}

// watch has the file system tell what changes in a folder. Where it can't, since there are too many, all are polled.
func (w *watcher) watch(folder string) {
	info, err := os.Stat(folder)
	if err != nil {
		return
	}
	w.folders[folder] = info.ModTime()
	if w.notify != nil && w.notify.Add(folder) != nil {
		w.close()
		w.notify = nil
	}
}

// loop imports what changes until ctx ends or the database can't be written.
func (w *watcher) loop(ctx context.Context) error {
	w.walk, w.poll = time.NewTicker(walkEvery), time.NewTicker(pollEvery)
	defer w.walk.Stop()
	defer w.poll.Stop()
	err := w.serverFailed(w.once(ctx))
	for err == nil && ctx.Err() == nil {
		if paths, all := w.wait(ctx); all {
			err = w.serverFailed(w.once(ctx))
		} else {
			err = w.serverFailed(w.look(ctx, paths))
		}
	}
	return err
}

// serverFailed takes a failure of the server of a home: it is reported once, and what is missing is imported later. Other errors stay.
func (w *watcher) serverFailed(err error) error {
	if !errors.Is(err, data.ErrServer) {
		if err == nil {
			w.failed = ""
		}
		return err
	}
	if text := err.Error(); text != w.failed {
		w.failed = text
		w.follower.tell(Import{Err: err})
	}
	return nil
}

// wait waits until files have to be looked at, and returns them, or that all have.
func (w *watcher) wait(ctx context.Context) (paths []string, all bool) {
	changed, due := map[string]bool{}, (<-chan time.Time)(nil)
	for {
		var events chan fsnotify.Event
		var lost chan error
		if w.notify != nil {
			events, lost = w.notify.Events, w.notify.Errors
		}
		select {
		case <-ctx.Done():
			return nil, false
		case e, ok := <-events:
			if ok && w.note(ctx, e, changed) && due == nil {
				due = time.After(max(debounce, time.Until(w.last.Add(apart))))
			}
		case err, ok := <-lost:
			if ok && err != nil { // Events were lost.
				return nil, true
			}
		case <-w.walk.C:
			return nil, true
		case <-w.poll.C:
			if due != nil {
				continue // What changed comes first.
			}
			if paths := w.stale(ctx); len(paths) > 0 {
				return paths, false
			}
		case <-due:
			w.last = time.Now()
			return slices.Collect(maps.Keys(changed)), false
		}
	}
}

// note adds the session files of an event, and reports whether there are any.
func (w *watcher) note(ctx context.Context, e fsnotify.Event, changed map[string]bool) bool {
	if isSession(e.Name) {
		if w.isFollowed(e.Name) {
			changed[e.Name] = true
		}
		return len(changed) > 0
	}
	if !e.Has(fsnotify.Create) || !w.isFollowed(e.Name) {
		return false
	}
	found := w.add(ctx, e.Name) // A folder: files may have been made in it before it was watched.
	for _, path := range found {
		changed[path] = true
	}
	return len(found) > 0
}

// isFollowed reports whether what lies in a watched folder is followed: it is named itself, or lies below a folder that is.
func (w *watcher) isFollowed(path string) bool {
	if w.single[path] {
		return true
	}
	for at := path; ; at = filepath.Dir(at) {
		if w.roots[at] {
			return true
		}
		if filepath.Dir(at) == at {
			return false
		}
	}
}

// look imports what some files have more than before.
func (w *watcher) look(ctx context.Context, paths []string) error {
	slices.Sort(paths)
	for _, path := range paths {
		s, ok := stat(path)
		if !ok {
			continue
		}
		if err := w.follower.look(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// stale returns the files that have to be looked at though no event named them: those whose time has come,
// and, where folders are polled, those that were written of late or are new in a folder that changed.
func (w *watcher) stale(ctx context.Context) (paths []string) {
	now := w.follower.DB.Now()
	for path, k := range w.follower.files {
		if !k.again.IsZero() && !now.Before(k.again) || w.notify == nil && now.Sub(k.modTime).Abs() < recent {
			paths = append(paths, path)
		}
	}
	if w.notify != nil {
		return paths
	}
	for folder, was := range w.folders {
		info, err := os.Stat(folder)
		if err != nil || info.ModTime().Equal(was) {
			continue
		}
		w.folders[folder] = info.ModTime()
		entries, _ := os.ReadDir(folder) // The next walk tells what can't be read.
		for _, e := range entries {
			path := filepath.Join(folder, e.Name())
			if !w.isFollowed(path) {
				continue
			}
			if _, known := w.folders[path]; e.IsDir() && !known {
				paths = append(paths, w.add(ctx, path)...)
			} else if isSession(path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}
