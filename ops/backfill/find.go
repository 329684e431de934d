package backfill

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lcm-tui/data/sessiondb"
	"lcm-tui/data/transcript"
)

// LeftOutError says why something that was found isn't read.
type LeftOutError struct{ Path, Why string }

func (e *LeftOutError) Error() string { return e.Path + " is left out: " + e.Why }

// Find lists the transcripts at some paths: session files as they are named, the sessions of
// transcript databases by their addresses, and of folders all that are called like either, however
// deep. Those that the host packed when it put them aside are listed where they are named, or with
// archived. No link is followed out of a folder that was named. Oldest come first. What can't be read
// is returned with the rest.
func Find(ctx context.Context, paths []string, archived bool) (found []string, problems []error) {
	f := &finder{archived: archived, at: map[string]time.Time{}}
	for _, path := range paths {
		if file, session, ok := transcript.SplitAddress(path); ok {
			f.addSessions(ctx, file, session)
			continue
		}
		whole, err := filepath.Abs(path)
		if err == nil {
			whole, err = filepath.EvalSymlinks(whole)
		}
		var info fs.FileInfo
		if err == nil {
			info, err = os.Stat(whole)
		}
		switch {
		case err != nil:
			f.problems = append(f.problems, fmt.Errorf("find session files: %w", err))
		case info.IsDir():
			f.addFolder(ctx, whole)
		case isDatabase(whole):
			f.addSessions(ctx, whole, "")
		default:
			f.found = append(f.found, whole)
		}
	}
	slices.Sort(f.found)
	f.found = slices.Compact(f.found)
	f.sortOldestFirst()
	return f.found, f.problems
}

// finder finds transcripts.
type finder struct {
	archived bool
	found    []string
	at       map[string]time.Time // When the sessions of databases were last written.
	problems []error
}

// isDatabase reports whether a file is called like a transcript database.
func isDatabase(path string) bool { return filepath.Ext(path) == filepath.Ext(sessiondb.FileName) }

// addSessions adds the sessions of a transcript database that have events, or one of them.
func (f *finder) addSessions(ctx context.Context, path, session string) {
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	sessions, err := readSessions(ctx, path)
	if errors.Is(err, sessiondb.ErrNotAgent) {
		f.found = append(f.found, path) // Reading it says what it is.
		return
	}
	if err != nil {
		f.problems = append(f.problems, err)
		return
	}
	known := session == ""
	for _, s := range sessions {
		if (session == "" || s.ID == session) && s.Events > 0 {
			address := transcript.Address(path, s.ID)
			f.found, f.at[address], known = append(f.found, address), s.Changed(), true
		}
	}
	if !known {
		f.found = append(f.found, transcript.Address(path, session)) // Reading it says what is wrong.
	}
}

// readSessions lists the sessions of a transcript database.
func readSessions(ctx context.Context, path string) ([]*sessiondb.Session, error) {
	db, err := sessiondb.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	sessions, err := db.Sessions(ctx)
	return sessions, errors.Join(err, db.Close())
}

// sortOldestFirst puts transcripts in the order in which they ended, so that what was put aside
// comes before what followed it.
func (f *finder) sortOldestFirst() {
	for _, p := range f.found {
		if _, ok := f.at[p]; ok {
			continue
		}
		if info, err := os.Stat(p); err == nil {
			f.at[p] = info.ModTime()
		}
	}
	slices.SortStableFunc(f.found, func(a, b string) int { return f.at[a].Compare(f.at[b]) })
}

// addFolder adds the transcripts below a folder.
func (f *finder) addFolder(ctx context.Context, root string) {
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			f.problems = append(f.problems, fmt.Errorf("find session files: %w", err))
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
		case d.Type()&fs.ModeSymlink != 0:
			if err := checkLink(root, path); err != nil {
				f.problems = append(f.problems, err)
			}
		case d.Type().IsRegular() && filepath.Base(path) == sessiondb.FileName:
			f.addSessions(ctx, path, "")
		case d.Type().IsRegular() && Named(path) && (f.archived || !Packed(path)):
			f.found = append(f.found, path)
		}
		return nil
	})
	if err != nil {
		f.problems = append(f.problems, err)
	}
}

// Packed reports whether a file is called like a session file that the host packed when it put
// it aside.
func Packed(path string) bool { return filepath.Ext(path) == ".zst" }

// checkLink judges a link: one to a place within the folder is found there anyway.
func checkLink(root, path string) error {
	to, err := filepath.EvalSymlinks(path)
	if err != nil {
		if Named(path) {
			return &LeftOutError{path, "a link that leads nowhere"}
		}
		return nil
	}
	info, err := os.Stat(to)
	if err != nil || !info.IsDir() && !Named(path) && !Named(to) {
		return nil
	}
	if rel, err := filepath.Rel(root, to); err == nil && filepath.IsLocal(rel) {
		return nil
	}
	return &LeftOutError{path, "a link that leads out of " + root}
}

// Named reports whether a file is called like a session file, or like one that was put
// aside.
func Named(path string) bool {
	base := filepath.Base(path)
	return strings.HasSuffix(base, ".jsonl") && base != ".jsonl" || Archived(base) || transcript.IsGeminiDocument(path)
}
