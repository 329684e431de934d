package data

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"modernc.org/sqlite"
)

// Report is called with the progress of long work: done of total (0 where the total isn't
// known), and what is being done. It may come from another goroutine than the one that began the
// work, but never from two at once.
type Report func(done, total int, note string)

// BackupResult is a backup that was made and verified.
type BackupResult struct {
	Path   string           `json:"path"`
	Bytes  int64            `json:"bytes"`
	Tables map[string]int64 `json:"tables"` // Rows by table, in the file and in the backup.
}

// ErrUnverified says that a backup doesn't hold what the database holds.
var ErrUnverified = errors.New("the backup is not the same as the database")

// BackupPath returns a name beside the database for a backup made now. It is empty at a home, which has no file.
func (db *DB) BackupPath() string {
	if db.IsHome() { // The server's own tools make backups of it.
		return ""
	}
	return db.Path() + ".lcm-tui-" + db.Now().UTC().Format("20060102T150405Z") + backupSuffix
}

// numbered returns the n-th name for a backup, from 1: two may be made in one second. All of them end as
// names of backups do.
func numbered(path string, n int) string {
	if n == 1 {
		return path
	}
	base := strings.TrimSuffix(path, backupSuffix)
	return fmt.Sprintf("%s-%d%s", base, n, path[len(base):])
}

// FreeBackupPath returns the name, or with a number the first one like it, that no file has.
func FreeBackupPath(path string) string {
	for n := 1; ; n++ {
		if _, err := os.Lstat(numbered(path, n)); errors.Is(err, fs.ErrNotExist) || n == mostNumbered {
			return numbered(path, n)
		}
	}
}

// mostNumbered is how many names are tried.
const mostNumbered = 100

// BackupNumbered makes a Backup under the name, or with a number under the first one like it, that no
// file has.
func BackupNumbered(ctx context.Context, db *DB, to string, report Report) (BackupResult, error) {
	for n := 1; ; n++ {
		r, err := db.Backup(ctx, numbered(to, n), report)
		if n == mostNumbered || !errors.Is(err, ErrExists) {
			return r, err
		}
	}
}

const pagesPerStep = 4096

// Backup copies the database as it is at this moment to a new file, while others
// may write on: page by page inside one read transaction. The file is called done
// only when its integrity check passes and every table has as many rows as at
// that moment; until then it has another name. It is private to the user.
func (db *DB) Backup(ctx context.Context, to string, report Report) (BackupResult, error) {
	r := BackupResult{Path: to}
	if err := db.needsFile("back up"); err != nil {
		return r, err
	}
	if db.immutable && !db.copied && hasWAL(db.Path()) { // What stands there isn't read.
		return r, &Error{Path: db.Path(), Verb: "back up", Kind: ErrPermission, hint: "the newest changes are in the -wal, which can't be read in a folder that is read-only: make the folder writable, or copy all three files elsewhere"}
	}
	var err error
	r.Bytes, err = CreateDatabase("back up", to, func(part string) (err error) {
		if r.Tables, err = copyCounted(ctx, db, part, report); err != nil {
			return err
		}
		return VerifyCopy(ctx, part, r.Tables, report)
	})
	return r, db.Wrap("back up", err)
}

// RemoveDatabase removes a file and what SQLite keeps beside it. No connection may be
// open on it.
func RemoveDatabase(path string) {
	for _, file := range FilesOf(path) {
		_ = os.Remove(file)
	}
}

// copyCounted copies the pages of a database and counts its rows in one snapshot.
func copyCounted(ctx context.Context, db *DB, to string, report Report) (counts map[string]int64, err error) {
	conn, err := db.readers.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return nil, err
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	report(0, 0, "counting rows")
	if counts, err = CountRows(ctx, conn); err != nil {
		return nil, err
	}
	return counts, conn.Raw(func(driver any) error { return copyPages(ctx, driver, to, report) })
}

func copyPages(ctx context.Context, driver any, to string, report Report) error {
	source, ok := driver.(interface {
		NewBackup(uri string) (*sqlite.Backup, error)
	})
	if !ok {
		return errors.New("this SQLite driver makes no backups")
	}
	b, err := source.NewBackup(FileURI(to, ""))
	if err != nil {
		return err
	}
	return stepPages(ctx, b, pagesPerStep, "copying pages", report)
}

// stepPages copies the pages of a backup or a restore, so many at a time, and finishes it.
func stepPages(ctx context.Context, b *sqlite.Backup, pages int32, note string, report Report) error {
	for more := true; more; {
		if err := ctx.Err(); err != nil {
			return errors.Join(err, b.Finish())
		}
		var err error
		if more, err = b.Step(pages); err != nil {
			return errors.Join(err, b.Finish())
		}
		report(b.PageCount()-b.Remaining(), b.PageCount(), note)
	}
	return b.Finish()
}

// CountRows counts the rows of every ordinary table.
func CountRows(ctx context.Context, q Connection) (map[string]int64, error) {
	var names []string
	err := EachRow(ctx, q, "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'", nil, func(scan RowScanner) error {
		var name string
		err := scan(&name)
		names = append(names, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	counts := map[string]int64{}
	for _, name := range names {
		err := EachRow(ctx, q, "SELECT count(*) FROM "+QuoteName(name), nil, func(scan RowScanner) error {
			var n int64
			err := scan(&n)
			counts[name] = n
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return counts, nil
}

// VerifyCopy checks a copy that nobody has open: its integrity, and that its tables have so many
// rows. The error is of kind ErrDamaged or ErrUnverified.
func VerifyCopy(ctx context.Context, path string, want map[string]int64, report Report) error {
	report(0, 0, "verifying the copy")
	pool, err := sql.Open("sqlite", FileURI(path, "mode=ro&immutable=1"))
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	defer pool.Close()
	problems := []string{}
	err = EachRow(ctx, pool, "PRAGMA integrity_check(5)", nil, func(scan RowScanner) error {
		var s Text
		err := scan(&s)
		if s != "ok" {
			problems = append(problems, string(s))
		}
		return err
	})
	if err != nil {
		return WrapError(path, "verify", err)
	}
	if len(problems) > 0 {
		return &Error{Path: path, Verb: "verify", Kind: ErrDamaged, Err: errors.New(strings.Join(problems, "; "))}
	}
	got, err := CountRows(ctx, pool)
	if err != nil {
		return WrapError(path, "verify", err)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			return fmt.Errorf("verify %s: %w: %s has %d rows, not %d", path, ErrUnverified, name, got[name], want[name])
		}
	}
	return nil
}

// CopyDatabase copies a database as it is at this moment to a new file, without verifying the copy:
// for what is compared with it and then removed.
func CopyDatabase(ctx context.Context, db *DB, to string, report Report) error {
	if err := db.needsFile("back up"); err != nil {
		return err
	}
	_, err := CreateDatabase("copy", to, func(part string) error {
		conn, err := db.readers.Conn(ctx)
		if err != nil {
			return err
		}
		defer conn.Close()
		return conn.Raw(func(driver any) error { return copyPages(ctx, driver, part, report) })
	})
	return db.Wrap("copy", err)
}
