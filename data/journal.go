package data

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"lcm-tui/internal/leftover"
	"lcm-tui/internal/regularfile"
)

// A program that is killed while it writes, in a file that isn't in WAL mode, leaves
// pages of a transaction that never was and a -journal with what stood there before.
// The next program that may write rolls it back. One that only reads can't: it reads a
// private copy that was rolled back.

const journalSuffix = "-journal"

// MayHaveHotJournal reports whether the file at path has a journal that may have to be rolled
// back. Whether it has, SQLite tells: a program that is writing has one, too.
func MayHaveHotJournal(path string) bool {
	f, err := os.Open(path + journalSuffix) // The journal, not the database: no lock is on it.
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	first := make([]byte, 1)
	_, err = io.ReadFull(f, first)
	return err == nil && first[0] != 0 // A journal that is done with is empty or begins with zeros.
}

// readRolledBack opens a private copy of the file with its journal rolled back.
func (db *DB) readRolledBack(ctx context.Context) error {
	if openHandles.has(db.path) {
		return unfinished(db.path, errors.New("it is open in this program already"))
	}
	copied, err := CopyRolledBack(ctx, db.path)
	if err != nil {
		return err
	}
	db.file, db.copied = copied, true
	if err := db.openReadersOfDamaged(ctx); err != nil {
		return errors.Join(err, db.dropCopy())
	}
	e := unfinished(db.path, nil)
	e.hint = "what is shown is what was there before that write, from a private copy; nothing can be changed until the agent's host has been started once, which rolls the journal back"
	db.Warn(e)
	return nil
}

// openReadersOfDamaged opens the readers as openReaders does, and as openDamaged does where the file is damaged.
func (db *DB) openReadersOfDamaged(ctx context.Context) error {
	err := db.openReaders(ctx, nil)
	if errors.Is(err, ErrDamaged) {
		return db.openDamaged(ctx, err)
	}
	return err
}

// unfinished says that a write to the file was interrupted.
func unfinished(path string, err error) *Error {
	return &Error{Path: path, Verb: "open", Kind: ErrUnfinished, Err: err}
}

// maxCopies is how often a file is copied that changes while it's being copied.
const maxCopies = 3

// CopyRolledBack gives the path of a copy of a file, alone in a folder that is private to the
// user, with its journal rolled back. No handle of this process may be open on the file.
func CopyRolledBack(ctx context.Context, path string) (copied string, err error) {
	folder, err := leftover.CreateFolder("journal")
	if err != nil {
		return "", unfinished(path, err)
	}
	copied = filepath.Join(folder, "lcm.db")
	err = errors.New("it changes all the time")
	for try := 0; try < maxCopies && err != nil; try++ {
		err = copyWithJournal(ctx, path, copied)
	}
	if err == nil {
		err = rollBack(ctx, copied)
	}
	if err != nil {
		return "", errors.Join(unfinished(path, err), leftover.RemoveFolder(folder))
	}
	return copied, nil
}

// copyWithJournal copies a file and its journal, which must not change meanwhile.
func copyWithJournal(ctx context.Context, path, to string) error {
	before, err := statBoth(path)
	if err != nil {
		return err
	}
	for _, suffix := range []string{journalSuffix, ""} {
		if err := regularfile.Copy(ctx, path+suffix, to+suffix); err != nil {
			return err
		}
	}
	after, err := statBoth(path)
	if err != nil {
		return err
	}
	for i := range before {
		if !os.SameFile(before[i], after[i]) || before[i].Size() != after[i].Size() || !before[i].ModTime().Equal(after[i].ModTime()) {
			return errors.New("it changed while it was copied")
		}
	}
	return nil
}

func statBoth(path string) (infos [2]fs.FileInfo, err error) {
	for i, suffix := range []string{"", journalSuffix} {
		if infos[i], err = os.Stat(path + suffix); err != nil {
			return infos, err
		}
	}
	return infos, nil
}

// rollBack has SQLite roll the journal of a file back, which it does as soon as a
// connection that may write reads.
func rollBack(ctx context.Context, path string) error {
	pool, err := sql.Open("sqlite", dsn(path, modeWrite, 0, nil))
	if err != nil {
		return err
	}
	// A damaged file fails here, after its journal was rolled back.
	failed := pool.QueryRowContext(ctx, "PRAGMA schema_version").Scan(new(int64))
	if err := pool.Close(); err != nil {
		return err
	}
	if MayHaveHotJournal(path) {
		return fmt.Errorf("its journal can't be rolled back: %w", errors.Join(failed, errors.New("it stays")))
	}
	return nil
}

// openHandles are the files that this process has open: the ordinary file calls of a copy
// would drop SQLite's locks on them.
var openHandles openFiles

type openFiles struct {
	mu   sync.Mutex
	list []fs.FileInfo
}

// add notes that a file is open; the function that it returns notes the end of that.
func (o *openFiles) add(path string) (remove func()) {
	info, err := os.Stat(path)
	if err != nil {
		return func() {}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.list = append(o.list, info)
	var once sync.Once
	return func() { once.Do(func() { o.remove(info) }) }
}

func (o *openFiles) remove(info fs.FileInfo) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, other := range o.list {
		if other == info {
			o.list = append(o.list[:i], o.list[i+1:]...)
			return
		}
	}
}

// has reports whether this process has a file open.
func (o *openFiles) has(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, other := range o.list {
		if os.SameFile(other, info) {
			return true
		}
	}
	return false
}
