package backfill

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// LeftOutError says why something that was found isn't read.
type LeftOutError struct{ Path, Why string }

func (e *LeftOutError) Error() string { return e.Path + " is left out: " + e.Why }

// Find lists the session files at some paths: files as they are named, and of folders
// all that are called like session files, however deep. No link is followed out of a
// folder that was named. Oldest come first. What can't be read is returned with the rest.
func Find(ctx context.Context, paths []string) (found []string, problems []error) {
	for _, path := range paths {
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
			problems = append(problems, fmt.Errorf("find session files: %w", err))
		case !info.IsDir():
			found = append(found, whole)
		default:
			in, wrong := listFolder(ctx, whole)
			found, problems = append(found, in...), append(problems, wrong...)
		}
	}
	slices.Sort(found)
	found = slices.Compact(found)
	sortOldestFirst(found)
	return found, problems
}

// sortOldestFirst puts session files in the order in which they ended, so that what was
// put aside comes before what followed it.
func sortOldestFirst(paths []string) {
	at := make(map[string]time.Time, len(paths))
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil {
			at[p] = info.ModTime()
		}
	}
	slices.SortStableFunc(paths, func(a, b string) int { return at[a].Compare(at[b]) })
}

// listFolder lists the session files below a folder.
func listFolder(ctx context.Context, root string) (found []string, problems []error) {
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			problems = append(problems, fmt.Errorf("find session files: %w", err))
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
		case d.Type()&fs.ModeSymlink != 0:
			if err := checkLink(root, path); err != nil {
				problems = append(problems, err)
			}
		case d.Type().IsRegular() && Named(path):
			found = append(found, path)
		}
		return nil
	})
	if err != nil {
		problems = append(problems, err)
	}
	return found, problems
}

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

// Named is whether a file is called like a session file, or like one that was put
// aside.
func Named(path string) bool {
	base := filepath.Base(path)
	return strings.HasSuffix(base, ".jsonl") && base != ".jsonl" || Archived(base)
}
