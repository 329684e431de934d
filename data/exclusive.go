package data

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"

	"lcm-tui/internal/filesystem"
)

// ErrInUse says that another connection has a database open, of this program or of another.
var ErrInUse = errors.New("another program has the database open")

// ErrHoldersUnknown says that another program may have a database open. It comes with ErrInUse.
var ErrHoldersUnknown = errors.New("it isn't known whether another program has the database open")

// Exclusive is the only connection to a database that any process has. While it is open,
// every other connection waits for its lock.
type Exclusive struct {
	*sql.Conn
	pool *sql.DB
}

// OpenExclusive opens a database for writing if nobody else has it open, not even idle. It
// never waits: where somebody has, the error is an *Error of kind ErrInUse that names who, as
// far as that is known. Handles of this program count, so they have to be closed before.
//
// A connection that is idle holds a lock in WAL mode only. Of a database in another mode the
// processes that have it open are looked for as well; where not all of them show that, it counts as
// open, and the error is of kind ErrHoldersUnknown.
func OpenExclusive(ctx context.Context, path string) (*Exclusive, error) {
	if err := CheckFile(path); err != nil {
		return nil, err
	}
	q := url.Values{"mode": {modeWrite}, "_pragma": {"busy_timeout(0)"}}
	pool, err := sql.Open("sqlite", FileURI(path, q.Encode()))
	if err != nil {
		return nil, WrapError(path, "lock", err)
	}
	conn, err := pool.Conn(ctx)
	if err != nil {
		_ = pool.Close() // Nothing was done by it.
		return nil, lockError(path, err)
	}
	x := &Exclusive{Conn: conn, pool: pool}
	if err := x.lock(ctx, path); err != nil {
		_ = x.Close() // It holds nothing.
		return nil, lockError(path, err)
	}
	return x, nil
}

// lock takes the lock, which stays until the connection is closed. The -wal of a file that SQLite
// doesn't read stays as well: SQLite deletes it otherwise, since it makes nothing of it.
func (x *Exclusive) lock(ctx context.Context, path string) error {
	if err := x.keepWAL(1); err != nil {
		return err
	}
	for _, statement := range []string{
		"PRAGMA locking_mode = exclusive", "PRAGMA foreign_keys = 1", "PRAGMA cache_size = -32768",
		"BEGIN EXCLUSIVE", "ROLLBACK", // A COMMIT would write a page into an empty file.
	} {
		if _, err := x.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	if err := x.keepWAL(0); err != nil {
		return err
	}
	mode := ""
	if err := x.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
		return err
	}
	if mode == walMode {
		return nil
	}
	return checkAlone(path)
}

// checkAlone fails unless it is sure that no other process has a database open, under any name.
func checkAlone(path string) error {
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	switch h := filesystem.HoldersUnder(resolved); {
	case len(h.Names) > 0:
		return inUse(path, nil)
	case !h.Known:
		return &Error{Path: path, Verb: "lock", Kind: ErrHoldersUnknown, Err: ErrInUse, hint: "it isn't in WAL mode, and processes of other users don't show which files they have open: stop all hosts and run this as root"}
	}
	return nil
}

// keepWAL says whether the -wal stays when the connection is closed: 1, or 0.
func (x *Exclusive) keepWAL(keep int) error {
	return x.Raw(func(driver any) error {
		c, ok := driver.(sqlite.FileControl)
		if !ok {
			return errors.New("this SQLite driver can't keep a -wal")
		}
		_, err := c.FileControlPersistWAL("main", keep)
		return err
	})
}

// Close gives the lock up.
func (x *Exclusive) Close() error { return errors.Join(x.Conn.Close(), x.pool.Close()) }

// lockError puts the failure to lock a file into words.
func lockError(path string, err error) error {
	if errors.Is(ErrorKind(err), ErrLocked) {
		return inUse(path, err)
	}
	return WrapError(path, "lock", err)
}

func inUse(path string, err error) error {
	who := HolderNames(path)
	hint := "stop it, and try again"
	if len(who) > 0 {
		hint = "stop " + strings.Join(who, ", ") + ", and try again"
	}
	return &Error{Path: path, Verb: "lock", Kind: ErrInUse, Err: err, hint: hint}
}

// HolderNames returns the other processes that have a database open, each with its process id, as
// far as the system tells: those that opened it under the name of the path, or under another one
// of these.
func HolderNames(path string, names ...string) []string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	return filesystem.HoldersUnder(path, append(names, filepath.Base(path))...).Names
}

// Stamp is what the metadata of a database and its -wal say of their content.
type Stamp struct {
	Info fs.FileInfo
	wal  int64
}

// StampOf reads the stamp of a database. It opens nothing.
func StampOf(path string) (s Stamp, err error) {
	s.Info, err = os.Stat(path)
	_, s.wal = FileBytes(path)
	return s, err
}

// Same reports whether nobody has written to the file between two stamps, the second of which was
// taken under an exclusive lock. What came into the -wal is a write.
func (s Stamp) Same(now Stamp) bool {
	return os.SameFile(s.Info, now.Info) && s.Info.Size() == now.Info.Size() && s.Info.ModTime().Equal(now.Info.ModTime()) && now.wal == 0
}
