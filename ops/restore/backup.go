package restore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"lcm-tui/data"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/leftover"
	"lcm-tui/internal/regularfile"
)

// What is wrong with a backup.
var (
	ErrSameFile = errors.New("the backup is the live database itself")
	ErrNotWhole = errors.New("the file holds a part of a database only")
	ErrRelative = errors.New("the file is of another program")
	ErrNewer    = errors.New("the backup was written by a newer version than the live database")
	ErrChanging = errors.New("the backup has a -wal and is being written to")
	ErrWritten  = errors.New("another program wrote to the database while it was copied")
)

// refusal says why a file isn't restored, which errors.Is knows as kind, and what to do.
func refusal(path string, kind error, next string) error {
	return &hint.Error{Text: "restore " + path + ": " + kind.Error(), Next: next, Err: kind}
}

// Backup is a backup that was checked. It is open for reading until Close.
type Backup struct {
	*data.DB
	Named  string           // The path that was given.
	Tables map[string]int64 // Rows by table.
	// Violations are rows whose references lead nowhere.
	Violations int
	folder     string // Of private copies, or empty.
	pageSize   int64
	pages      int64
}

// OpenBackup opens and checks a backup of the database at live, which needn't be there. It writes
// nothing beside the backup: one with changes in a -wal or a journal of its own is read from a private
// copy. A file that is whole as a database but holds a part of one is refused unless partial is allowed.
func OpenBackup(ctx context.Context, path, live string, partial bool, report data.Report) (*Backup, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := data.CheckFile(path); err != nil {
		return nil, err
	}
	if same(path, live) {
		return nil, refusal(path, ErrSameFile, "name a backup of it; lcm-tui backup makes one")
	}
	b := &Backup{Named: path}
	if err := b.open(ctx, partial, report); err != nil {
		_ = b.Close() // It was only read.
		return nil, err
	}
	return b, nil
}

// open opens and checks the backup.
func (b *Backup) open(ctx context.Context, partial bool, report data.Report) error {
	file, err := b.settle(ctx, b.Named)
	if err != nil {
		return err
	}
	if b.DB, err = data.OpenImmutable(ctx, file); err != nil {
		return err
	}
	if err := b.checkKind(partial); err != nil {
		return err
	}
	return b.check(ctx, report)
}

// same reports whether two paths lead to one file.
func same(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

// Close closes the backup and removes private copies of it.
func (b *Backup) Close() (err error) {
	if b.DB != nil {
		err = b.DB.Close()
	}
	if b.folder != "" {
		err = errors.Join(err, leftover.RemoveFolder(b.folder))
	}
	return err
}

// settle gives the path of a file that holds the whole backup: the backup itself, or a private copy
// into which its -wal or journal was worked.
func (b *Backup) settle(ctx context.Context, path string) (string, error) {
	if data.MayHaveHotJournal(path) {
		copied, err := data.CopyRolledBack(ctx, path)
		if err == nil {
			b.folder = filepath.Dir(copied)
		}
		return copied, err
	}
	if _, wal := data.FileBytes(path); wal == 0 {
		return path, nil
	}
	copied, err := b.private("with-wal.db")
	if err != nil {
		return "", err
	}
	before, err := walStamp(path)
	if err != nil {
		return "", err
	}
	for _, suffix := range []string{"", "-wal"} {
		if err := regularfile.Copy(ctx, path+suffix, copied+suffix); err != nil {
			return "", fmt.Errorf("copy the backup: %w", err)
		}
	}
	after, err := walStamp(path)
	if err == nil && before != after {
		err = refusal(path, ErrChanging, "make a backup of it first: lcm-tui backup --db "+path)
	}
	if err != nil {
		return "", err
	}
	return copied, checkpoint(ctx, copied)
}

// walStamp returns what the metadata of a file and its -wal say of their content.
func walStamp(path string) (stamp [4]int64, err error) {
	for i, suffix := range []string{"", "-wal"} {
		info, err := os.Stat(path + suffix)
		if err != nil {
			return stamp, err
		}
		stamp[2*i], stamp[2*i+1] = info.Size(), info.ModTime().UnixNano()
	}
	return stamp, nil
}

// private gives a path in a folder that only this user may enter.
func (b *Backup) private(name string) (path string, err error) {
	if b.folder == "" {
		if b.folder, err = leftover.CreateFolder("restore"); err != nil {
			return "", fmt.Errorf("copy the backup: %w", err)
		}
	}
	return filepath.Join(b.folder, name), nil
}

// checkpoint writes the -wal of a private copy into it.
func checkpoint(ctx context.Context, path string) error {
	pool, err := sql.Open("sqlite", data.FileURI(path, "mode=rw"))
	if err != nil {
		return data.WrapError(path, "open", err)
	}
	defer pool.Close()
	var busy, frames, done int64
	err = pool.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &done)
	return data.WrapError(path, "read the -wal of", err)
}

// checkKind refuses what isn't a backup of an lcm.db.
func (b *Backup) checkKind(partial bool) error {
	kind, s := b.Kind(), b.Schema()
	switch {
	case kind.Relative:
		return refusal(b.Named, ErrRelative, kind.Name+" files are shown only")
	case len(s.Missing()) > 0:
		return refusal(b.Named, ErrNotWhole, "it lacks "+strings.Join(s.Missing(), ", ")+"; restore another backup")
	case len(s.Triggers) > 0 && !partial:
		return data.TriggerError(b.Named, s.Triggers)
	case partial:
		return nil
	case s.Has("lcm_tui_trash"):
		return refusal(b.Named, ErrNotWhole, "it is a file of the trash: lcm-tui trash restore brings its rows back; --force restores it all the same, and all else is gone then")
	case s.Has("lcm_tui_slice"):
		return refusal(b.Named, ErrNotWhole, "it is a slice; --force restores it all the same, and all other conversations are gone then")
	}
	return nil
}

// check has SQLite check the pages and references, and counts the rows.
func (b *Backup) check(ctx context.Context, report data.Report) error {
	report(0, 0, "checking the backup")
	var problems []string
	if err := data.PageCheck(ctx, b.DB, 5, func(line string) { problems = append(problems, line) }); err != nil {
		return err
	}
	if len(problems) > 0 || len(b.Warnings()) > 0 {
		return &data.Error{Path: b.Named, Verb: "check", Kind: data.ErrDamaged, Err: errors.New(strings.Join(problems, "; "))}
	}
	violations, err := data.Violations(ctx, b.DB)
	if err != nil {
		return err
	}
	b.Violations = len(violations)
	if err := b.measure(ctx); err != nil {
		return err
	}
	pool, err := openReading(b.Path())
	if err != nil {
		return err
	}
	defer pool.Close()
	b.Tables, err = data.CountRows(ctx, pool)
	return data.WrapError(b.Named, "count", err)
}

func (b *Backup) measure(ctx context.Context) error {
	return b.EachRow(ctx, "measure", "SELECT p.page_count, s.page_size FROM pragma_page_count p, pragma_page_size s", nil,
		func(scan data.RowScanner) error { return scan(&b.pages, &b.pageSize) })
}

// Bytes returns the size of the backup.
func (b *Backup) Bytes() int64 { return b.pages * b.pageSize }

// openReading opens a file that nobody writes.
func openReading(path string) (*sql.DB, error) {
	q := url.Values{"mode": {"ro"}, "immutable": {"1"}, "_pragma": {"query_only(1)"}}
	pool, err := sql.Open("sqlite", data.FileURI(path, q.Encode()))
	return pool, data.WrapError(path, "open", err)
}

// withPageSize gives the path of the backup, or of a private copy with pages of another size.
func (b *Backup) withPageSize(ctx context.Context, size int64, report data.Report) (string, error) {
	if size == b.pageSize {
		return b.Path(), nil
	}
	copied, err := b.private("pages.db")
	if err != nil {
		return "", err
	}
	report(0, 0, "copying the backup with pages of another size")
	if err := regularfile.Copy(ctx, b.Path(), copied); err != nil {
		return "", fmt.Errorf("copy the backup: %w", err)
	}
	pool, err := sql.Open("sqlite", data.FileURI(copied, "mode=rw"))
	if err != nil {
		return "", data.WrapError(copied, "open", err)
	}
	defer pool.Close()
	pool.SetMaxOpenConns(1)
	for _, statement := range []string{"PRAGMA journal_mode = DELETE", fmt.Sprintf("PRAGMA page_size = %d", size), "VACUUM"} {
		if _, err := pool.ExecContext(ctx, statement); err != nil {
			return "", data.WrapError(copied, "copy", err)
		}
	}
	return copied, nil
}
