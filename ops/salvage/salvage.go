package salvage

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"lcm-tui/data"
	"lcm-tui/data/pages"
)

// File writes every row that can still be read from a damaged file to a new one. The new file is
// private to the user and gets its name when it is whole and checked. The damaged file and
// its -wal are only read, as plain bytes: no handle of this process may be open on it. The
// search tables are rebuilt from the rows.
func File(ctx context.Context, from, to string, report data.Report) (Result, error) {
	s := Result{From: from, To: to, Notes: []string{}, Tables: []TableResult{}, Dangling: map[string]int64{}}
	if err := data.CheckFile(from); err != nil {
		return s, err
	}
	readable, drop, err := s.withoutJournal(ctx)
	if err != nil {
		return s, err
	}
	defer drop()
	source, closing, err := openPages(readable)
	if err != nil {
		return s, err
	}
	defer closing()
	s.Pages, s.WALPages = int64(source.PageCount()), source.WALPages()
	s.Bytes, err = data.CreateDatabase("salvage", to, func(part string) error {
		if err := fill(ctx, source, part, &s, report); err != nil {
			return err
		}
		return s.finish(ctx, part, report)
	})
	return s, data.WrapError(from, "salvage", err)
}

// withoutJournal returns the file to read. Where a write was interrupted, that is a private
// copy in which the write was rolled back, so that no row of it is copied; drop removes it.
func (s *Result) withoutJournal(ctx context.Context) (path string, drop func(), err error) {
	if !data.MayHaveHotJournal(s.From) {
		return s.From, func() {}, nil
	}
	copied, err := data.CopyRolledBack(ctx, s.From)
	switch {
	case ctx.Err() != nil:
		return "", nil, ctx.Err()
	case err != nil:
		s.Notes = append(s.Notes, "another program was stopped while it wrote, and its journal couldn't be rolled back: the new file may have rows of that write")
		return s.From, func() {}, nil
	}
	s.Notes = append(s.Notes, "another program was stopped while it wrote; its journal was rolled back in a private copy, so the new file has nothing of that write")
	return copied, func() { _ = os.RemoveAll(filepath.Dir(copied)) }, nil
}

// openPages opens a file and its -wal as plain bytes.
func openPages(path string) (*pages.File, func(), error) {
	fail := func(err error) error {
		return &data.Error{Path: path, Verb: "salvage", Kind: data.ErrPermission, Err: err}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, fail(err)
	}
	closing := func() { _ = file.Close() }
	info, err := file.Stat()
	if err != nil {
		closing()
		return nil, nil, fail(err)
	}
	var log io.ReaderAt
	if wal, err := os.Open(path + "-wal"); err == nil {
		closing = func() { _, _ = file.Close(), wal.Close() }
		log = wal
	}
	p, err := pages.Open(file, info.Size(), log)
	if err != nil {
		closing()
		return nil, nil, &data.Error{Path: path, Verb: "salvage", Kind: data.ErrNotSQLite, Err: err}
	}
	return p, closing, nil
}

// finish checks the new file, and waits until it is on the disk.
func (s *Result) finish(ctx context.Context, part string, report data.Report) error {
	if err := s.check(ctx, part, report); err != nil {
		return data.WrapError(part, "check", err)
	}
	if err := data.SyncFile(part); err != nil { // Nothing has it open now.
		return fmt.Errorf("salvage: %w", err)
	}
	return nil
}
