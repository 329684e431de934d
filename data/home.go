package data

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"lcm-tui/internal/outcome"
)

// Home is how a store is written in which conversations live, and not only copies of them. It has no file: where one is needed,
// the error is a HomeError.
type Home struct {
	// Transact runs fn with a connection of the store's pool that is in a transaction, which it commits when fn returns nil. It
	// takes the locks that the write needs, begins again where that is safe, and finds out what became of a COMMIT whose
	// answer was lost.
	Transact func(ctx context.Context, w HomeWrite, fn func(*sql.Conn) error) error
	// Ready says why the server takes no writes of this user, or returns nil.
	Ready func(ctx context.Context) error
	// Lock waits until a transaction has its locks. One that prepares takes them with its first statement.
	Lock func(ctx context.Context, conn *sql.Conn) error
	// Request has the next statement that reads take n numbers of messages and the number of a record, which nobody else gets. Another
	// program may take some in the same moment; then they aren't in a row.
	Request func(conn *sql.Conn, n int, to *ReservedNumbers) error
	// Reserve takes n numbers of messages in a row, and the number of a record.
	Reserve func(ctx context.Context, conn *sql.Conn, n int) (ReservedNumbers, error)
	// Sizes returns the size of each table.
	Sizes func(ctx context.Context) (map[string]HomeTable, error)
	// Index takes texts that the transaction of a connection wrote: a search finds them by their words after its COMMIT.
	Index func(ctx context.Context, conn *sql.Conn, texts []HomeText) error
}

// HomeTable is the size of a table of a home.
type HomeTable struct {
	Bytes int64 // With its indexes and long texts.
	// Rows are those of a table that only the server has, such as that of the index of words; 0 of any other.
	Rows int64
}

// HomeText is a text of a home that is searched: that of a message, or of a summary.
type HomeText struct {
	Message int64
	Summary string    // Its id, or empty for a message.
	At      time.Time // When a message was written; zero where nobody knows.
	Text    string
	IsNew   bool // The row has just been inserted.
}

// ReservedNumbers are numbers of new rows that nobody else gets.
type ReservedNumbers struct {
	First, Last int64 // Of messages; 0 is none.
	Record      int64 // The number of the record; 0 is none.
}

// count returns how many messages have a number.
func (r ReservedNumbers) count() int {
	if r.First == 0 {
		return 0
	}
	return int(r.Last - r.First + 1)
}

// HomeWrite is what a transaction of a home needs.
type HomeWrite struct {
	Verb string
	// Conversations are those that it changes; nil is any of them.
	Conversations []int64
	Wait          time.Duration // How long it waits for locks of others; 0 is not at all.
	// Once says that what is written can't be run again after a failure.
	Once bool
	// Prepares says that the transaction begins with reads, and then calls Lock.
	Prepares bool
}

// IsHome reports whether the database is a home, which has no file.
func (f *openedFile) IsHome() bool { return f.replica != nil && f.replica.Home != nil }

// ErrServer says that a server of PostgreSQL failed, and not what was asked of it: once it answers again, takes writes or has room, the same may succeed.
var ErrServer = errors.New("the server failed")

// HomeError is the error of what can't be done at a home, because it is about a file.
type HomeError struct {
	Name string // The home.
	Verb string // What was to be done, such as "back up".
}

func (e *HomeError) Error() string {
	return fmt.Sprintf("%s %s: conversations live in PostgreSQL there, and there is no file", e.Verb, e.Name)
}

// Unwrap gives ErrElsewhere.
func (e *HomeError) Unwrap() error { return ErrElsewhere }

// homeHints say what to do in the place of what needs a file.
var homeHints = map[string]string{
	"back up":             "make a backup of the server's database: pg_dump --schema=home --schema=lcm",
	"check the pages of":  "the server checks its own files: pg_amcheck",
	"read the pages of":   "the server keeps its own files: its administrator can look at them",
	"read the size of":    "the server keeps its own files: pg_total_relation_size measures the tables of the schema home",
	"compare the rows of": "compare two conversations with lcm-tui diff, or two dumps of pg_dump",
	"empty the log of":    "the server empties its own log",
	"attach a file to":    "do it on a file; a home has no trash and no pages",
	"open again":          "start the command again",
}

// Hint says what the user can do.
func (e *HomeError) Hint() string {
	if h := homeHints[e.Verb]; h != "" {
		return h
	}
	return "do it on a file, or with the tools of PostgreSQL"
}

// transactHome works as Transact at a home.
func (db *DB) transactHome(ctx context.Context, how Transaction, fn func(*Tx) error) error {
	if how.Attaches() {
		return db.needsFile("attach a file to")
	}
	w := HomeWrite{Verb: how.Verb, Conversations: how.Conversations, Wait: db.Wait, Once: how.Once, Prepares: how.Prepare != nil}
	err := db.replica.Home.Transact(ctx, w, func(conn *sql.Conn) error {
		t := db.newTx(conn, db.schema)
		defer t.Close()
		t.changes, t.home = newChangeCount(), db.replica.Home
		t.changes.isHome, t.reserved = true, new(ReservedNumbers)
		if how.Prepare != nil {
			if err := how.Prepare(t); err != nil {
				return err
			}
			if err := db.replica.Home.Lock(ctx, conn); err != nil {
				return err
			}
		}
		db.Reached(StepBegun)
		if err := fn(t); err != nil {
			return err
		}
		db.Reached(StepMade)
		return nil
	})
	if err != nil {
		return db.Wrap(how.Verb, err)
	}
	outcome.Of(ctx).Rows()
	db.Reached(StepCommitted)
	return nil
}

// IsHome reports whether the transaction is one of a home.
func (t *Tx) IsHome() bool { return t.home != nil }

// IndexTexts works as Home's Index.
func (t *Tx) IndexTexts(ctx context.Context, texts []HomeText) error {
	return t.home.Index(ctx, t.Conn, texts)
}

// RequestMessages says at a home that ReserveMessages will be called: the numbers come with the next statement that reads.
func (t *Tx) RequestMessages(n int) error { return t.home.Request(t.Conn, n, t.reserved) }

// ReserveMessages takes n numbers of messages in a row at a home, and returns the first. Others may add messages to other
// conversations at the same time.
func (t *Tx) ReserveMessages(ctx context.Context, n int) (first int64, err error) {
	if err := t.reserve(ctx, n); err != nil {
		return 0, err
	}
	first = t.reserved.First
	t.reserved.First = 0
	return first, nil
}

// ReserveRecord takes the number of a record at a home.
func (t *Tx) ReserveRecord(ctx context.Context) (id int64, err error) {
	if err := t.reserve(ctx, 0); err != nil {
		return 0, err
	}
	id = t.reserved.Record
	t.reserved.Record = 0
	return id, nil
}

// reserve makes sure that a record has a number, and so many messages. What was requested is there once it is sent.
func (t *Tx) reserve(ctx context.Context, n int) error {
	if t.reserved.Record == 0 {
		if err := t.home.Lock(ctx, t.Conn); err != nil {
			return err
		}
	}
	if t.reserved.Record != 0 && (n == 0 || t.reserved.count() == n) {
		return nil
	}
	numbers, err := t.home.Reserve(ctx, t.Conn, n)
	*t.reserved = numbers
	return err
}
