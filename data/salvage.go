package data

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"lcm-tui/data/pages"
)

// Salvaged is the account of a salvage: what was read, what couldn't be, and what
// the new file is like.
type Salvaged struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Bytes int64  `json:"bytes"` // Of the new file.
	// Schema says where the tables' statements came from.
	Schema   string          `json:"schema"`
	Pages    int64           `json:"pages"`     // Of the damaged file.
	WALPages int             `json:"wal_pages"` // Of them taken from its -wal.
	Tables   []SalvagedTable `json:"tables"`
	// Integrity is what SQLite's own check says of the new file: one "ok".
	Integrity []string `json:"integrity"`
	// Dangling counts, by table, the references of the new file to rows that
	// aren't there.
	Dangling map[string]int64 `json:"dangling"`
	Notes    []string         `json:"notes"`
}

// SalvagedTable is the account of one table.
type SalvagedTable struct {
	Name   string      `json:"table"`
	Rows   int64       `json:"rows"`             // In the new file.
	Strays int64       `json:"strays,omitempty"` // Of them found on pages that nothing points at any more.
	Lost   []LostRange `json:"lost"`
	// Refused are rows that were read and break a rule of the table, such as a
	// second row of the same key.
	Refused int64 `json:"refused,omitempty"`
}

// LostRange is a stretch of rowids of which no row could be read. There may have
// been fewer rows: rowids have gaps.
type LostRange struct {
	First int64 `json:"first"`
	Last  int64 `json:"last,omitempty"` // 0 where nothing tells how far the table went.
	Page  int64 `json:"page,omitempty"` // The damaged page, if it is one.
}

// Lost reports whether anything is known to be lost.
func (s Salvaged) Lost() bool {
	for _, t := range s.Tables {
		if len(t.Lost) > 0 || t.Refused > 0 {
			return true
		}
	}
	return false
}

// Salvage writes every row that can still be read from a damaged file to a fresh one,
// private to the user, that gets its name when it's whole and checked. The damaged file
// and its -wal are only read, as plain bytes: no handle of this process may be open on
// it. Search tables are made anew from the rows.
func Salvage(ctx context.Context, from, to string, report Report) (Salvaged, error) {
	s := Salvaged{From: from, To: to, Notes: []string{}, Tables: []SalvagedTable{}, Dangling: map[string]int64{}}
	if err := inspect(from); err != nil {
		return s, err
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return s, fmt.Errorf("salvage to %s: %w", to, errors.Join(ErrExists, err))
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
	part, err := os.CreateTemp(filepath.Dir(to), filepath.Base(to)+".*.part")
	if err != nil {
		return s, fmt.Errorf("salvage: %w", err)
	}
	defer removeAll(part.Name())
	if err := part.Close(); err != nil {
		return s, fmt.Errorf("salvage: %w", err)
	}
	s.Pages, s.WALPages = int64(source.Count()), source.Log()
	if err := fill(ctx, source, part.Name(), &s, report); err != nil {
		if errors.Is(kind(err), ErrFull) {
			return s, wrap(to, "salvage to", err)
		}
		return s, wrap(from, "salvage", err)
	}
	return s, s.finish(ctx, part.Name(), report)
}

// withoutJournal is the file to read: where a write was interrupted, a private copy that
// was rolled back, so that no row of it is carried over; drop removes it.
func (s *Salvaged) withoutJournal(ctx context.Context) (path string, drop func(), err error) {
	if !mayBeHot(s.From) {
		return s.From, func() {}, nil
	}
	copied, err := rolledBack(ctx, s.From)
	switch {
	case ctx.Err() != nil:
		return "", nil, ctx.Err()
	case err != nil:
		s.Notes = append(s.Notes, "another program was stopped while it wrote, and its journal couldn't be rolled back: rows of that write may be among these")
		return s.From, func() {}, nil
	}
	s.Notes = append(s.Notes, "another program was stopped while it wrote; its journal was rolled back in a private copy, so nothing of that write is here")
	return copied, func() { _ = os.RemoveAll(filepath.Dir(copied)) }, nil
}

// openPages opens a file and its -wal as plain bytes.
func openPages(path string) (*pages.File, func(), error) {
	fail := func(err error) error { return &Error{Path: path, Verb: "salvage", Kind: ErrPermission, Err: err} }
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
	if wal, err := os.Open(path + walSuffix); err == nil {
		closing = func() { _, _ = file.Close(), wal.Close() }
		log = wal
	}
	p, err := pages.Open(file, info.Size(), log)
	if err != nil {
		closing()
		return nil, nil, &Error{Path: path, Verb: "salvage", Kind: ErrNotSQLite, Err: err}
	}
	return p, closing, nil
}

// finish checks the new file and gives it its name.
func (s *Salvaged) finish(ctx context.Context, part string, report Report) error {
	if err := s.check(ctx, part, report); err != nil {
		return wrap(part, "check", err)
	}
	f, err := os.OpenFile(part, os.O_RDWR, 0) // Nothing has it open now.
	if err != nil {
		return fmt.Errorf("salvage: %w", err)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("salvage: %w", err)
	}
	if info, err := os.Stat(part); err == nil {
		s.Bytes = info.Size()
	}
	// Link fails where the name was taken in the meantime; rename would overwrite.
	if err := os.Link(part, s.To); err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	return os.Rename(part, s.To)
}
