package openclaw

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// The limits of a search through folders: a home folder may hold anything.
const (
	maxWalkDepth = 6      // Folders below the first one.
	maxEntries   = 20_000 // Files and folders of one search.
	walkBatch    = 256    // Entries that are read at once.
)

// skippedFolders hold programs, and many files.
var skippedFolders = []string{"node_modules", ".git", ".venv", "venv", "site-packages", "__pycache__"}

// walk adds every lcm.db below a folder, level by level, so that the limits leave out what lies
// deepest. It follows no links to folders.
func (d *discoverer) walk(root string) {
	seen := 0
	level := []string{root}
	for depth := 0; depth <= maxWalkDepth && len(level) > 0; depth++ {
		var below []string
		for _, folder := range level {
			names, err := d.readFolder(folder, d.MaxEntries-seen, func(e os.DirEntry) {
				path := filepath.Join(folder, e.Name())
				if e.Name() == databaseName {
					d.probe(Database{Path: path, Program: programHermes, Found: programHermes})
				}
				if e.IsDir() && !slices.Contains(skippedFolders, e.Name()) {
					below = append(below, path)
				}
			})
			seen += names
			d.problem(folder, err)
			if d.ctx.Err() != nil {
				d.problem(root, d.ctx.Err())
				return
			}
			if seen >= d.MaxEntries {
				d.problem(root, fmt.Errorf("it has more than %d files and folders: those that lie deepest were not searched", d.MaxEntries))
				return
			}
		}
		slices.Sort(below)
		level = below
	}
}

// folders returns the names of the folders in a folder, and of links to folders, in order.
func (d *discoverer) folders(folder string) (names []string) {
	n, err := d.readFolder(folder, d.MaxEntries, func(e os.DirEntry) {
		if e.IsDir() || e.Type()&os.ModeSymlink != 0 && isFolder(filepath.Join(folder, e.Name())) {
			names = append(names, e.Name())
		}
	})
	d.problem(folder, err)
	if n >= d.MaxEntries {
		d.problem(folder, fmt.Errorf("it has more than %d files and folders: not all were searched", d.MaxEntries))
	}
	slices.Sort(names)
	return names
}

// readFolder calls fn with the entries of a folder, at most so many, and says how many it were.
func (d *discoverer) readFolder(folder string, most int, fn func(os.DirEntry)) (n int, err error) {
	info, err := os.Stat(folder)
	if err != nil {
		return 0, err
	}
	if !info.IsDir() { // Opening a pipe would block.
		return 0, nil
	}
	f, err := os.Open(folder)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	for n < most && d.ctx.Err() == nil {
		entries, err := f.ReadDir(min(walkBatch, most-n))
		for _, e := range entries {
			fn(e)
		}
		n += len(entries)
		switch {
		case errors.Is(err, io.EOF):
			return n, nil
		case err != nil:
			return n, err
		}
	}
	return n, nil
}
