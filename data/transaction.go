package data

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"time"

	"lcm-tui/internal/outcome"
)

// Tx is one transaction: Transact makes one that writes, Snapshot one that reads.
type Tx struct {
	*sql.Conn
	Schema  *Schema   // As it is now: a host may have migrated the file since it was opened.
	Now     time.Time // When it began.
	stmts   map[string]*sql.Stmt
	changes *changeCount // Nil where nothing is written.
	home    *Home        // Set in a transaction of a home.
	// reserved are numbers for rows of a home that aren't used yet.
	reserved *ReservedNumbers
}

// NewTx returns the Tx of a connection that is in a transaction. Close has to be called before its end.
func NewTx(conn *sql.Conn, s *Schema, now time.Time) *Tx {
	return &Tx{Conn: conn, Schema: s, Now: now, stmts: map[string]*sql.Stmt{}}
}

func (db *DB) newTx(conn *sql.Conn, s *Schema) *Tx { return NewTx(conn, s, db.Now().UTC()) }

// Conn returns a connection for reading, which its user closes.
func (db *DB) Conn(ctx context.Context) (*sql.Conn, error) {
	conn, err := db.readers.Conn(ctx)
	return conn, db.Wrap("read", err)
}

// Snapshot runs fn on one state of the file, which fn can't write to.
func (db *DB) Snapshot(ctx context.Context, verb string, fn func(*Tx) error) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return db.Wrap(verb, err)
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	t := db.newTx(conn, db.schema)
	defer t.Close()
	return db.Wrap(verb, fn(t))
}

// Transaction is how Transact writes.
type Transaction struct {
	Verb string // What is done, for errors.
	// WithoutRules doesn't enforce foreign keys and checks, for rows that were stored without them.
	WithoutRules bool
	First        string // A statement that is run on the connection before it begins, or empty.
	// Prepare reads what fn needs, on a state of the file that no lock holds: hosts can write meanwhile. Where one did,
	// it is called again, at last under the lock, so that fn always gets what the file has. Nil is nothing.
	Prepare func(*Tx) error
	// Conversations are those that fn changes rows of, for a home, where others can write to other ones. Nil is any of them.
	Conversations []int64
	// Once says that fn can't be called again after a failure, as a home would where others wrote in the same moment.
	Once bool
}

// Attaches reports whether the transaction reads other files.
func (t Transaction) Attaches() bool { return strings.Contains(t.First, "ATTACH") }

// Transact runs fn in one write transaction, which it commits when fn returns nil. The file is open
// for writing for no longer than that. It fails, and writes nothing, where SQLite changed other rows
// than the statements of fn say.
func (db *DB) Transact(ctx context.Context, how Transaction, fn func(*Tx) error) error {
	if err := db.Writable(); err != nil {
		return err
	}
	if db.IsHome() {
		return db.transactHome(ctx, how, fn)
	}
	conn, closeFile, err := db.openForWriting(ctx, how.WithoutRules)
	if err != nil {
		return db.Wrap(how.Verb, err)
	}
	defer closeFile() // What is written is committed by then, and what isn't rolled back.
	if how.First != "" {
		_, err = conn.ExecContext(ctx, how.First)
	}
	if err == nil {
		err = db.transact(ctx, conn, how, fn)
	}
	return db.Wrap(how.Verb, db.explainLock(err, db.Wait))
}

// openForWriting opens the file once more, on one connection that may write, until closeFile is called.
func (db *DB) openForWriting(ctx context.Context, withoutRules bool) (conn *sql.Conn, closeFile func(), err error) {
	poll := min(db.Wait, lockPoll)
	more := maps.Clone(db.WriterParameters)
	if withoutRules {
		more = url.Values{"_pragma": {"busy_timeout(" + CellText(poll.Milliseconds()) + ")", "foreign_keys(0)", "ignore_check_constraints(1)"}}
	}
	pool, err := sql.Open("sqlite", dsn(db.path, modeWrite, poll, more))
	if err != nil {
		return nil, nil, err
	}
	if conn, err = pool.Conn(ctx); err != nil {
		return nil, nil, errors.Join(err, pool.Close())
	}
	return conn, func() { _, _ = conn.Close(), pool.Close() }, nil
}

// ReadyToWrite says why nothing can be written now, or returns nil. It takes the write lock and gives it back at once: where another
// program keeps it for longer than db.Wait, the error is an Error of kind ErrLocked. It is called before work that would be for nothing:
// minutes of planning, a model that is paid, a backup. A home is locked by conversation, once it is known which ones are written, so of a
// home it says what the server says of the user's rights.
func (db *DB) ReadyToWrite(ctx context.Context) error {
	if err := db.Writable(); err != nil {
		return err
	}
	if db.IsHome() {
		return db.Wrap("write", db.replica.Home.Ready(ctx))
	}
	conn, closeFile, err := db.openForWriting(ctx, false)
	if err != nil {
		return db.Wrap("write", err)
	}
	defer closeFile()
	left := db.Wait
	err = db.retryLocked(ctx, conn, "BEGIN IMMEDIATE", &left)
	abandon(ctx, conn)
	return db.Wrap("write", db.explainLock(err, db.Wait))
}

// explainLock adds to a lock's hint how long the write waited and who has the file open.
func (f *openedFile) explainLock(err error, waited time.Duration) error {
	if !errors.Is(ErrorKind(err), ErrLocked) {
		return err
	}
	return &Error{
		Path: f.path, Verb: "write", Kind: ErrLocked, Err: err,
		hint: strings.TrimSpace(fmt.Sprintf("%s The write waited %v. Try again when the other program is done, or stop it", f.holderNames(), waited)),
	}
}

// transact runs fn in a transaction of a connection.
func (db *DB) transact(ctx context.Context, conn *sql.Conn, how Transaction, fn func(*Tx) error) error {
	var enforced bool
	if err := conn.QueryRowContext(ctx, "PRAGMA foreign_keys").Scan(&enforced); err != nil {
		return err
	}
	if !enforced && !how.WithoutRules {
		return errors.New("this build of SQLite doesn't enforce foreign keys")
	}
	left := db.Wait // For all locks together.
	prepared, err := begin(ctx, db, conn, how.Prepare, &left)
	if err != nil {
		return err
	}
	// After the commit there is nothing to roll back, and SQLite says so.
	defer abandon(ctx, conn)
	t, err := lockedTx(ctx, db, conn)
	if err != nil {
		return err
	}
	defer t.Close()
	db.Reached(StepBegun)
	if !prepared {
		if err := how.Prepare(t); err != nil {
			return err
		}
	}
	if err := fn(t); err != nil {
		return err
	}
	if err := t.changes.check(); err != nil {
		return err
	}
	db.wrote.Store(true)
	db.Reached(StepMade)
	if err := db.retryLocked(ctx, conn, "COMMIT", &left); err != nil {
		return err
	}
	outcome.Of(ctx).Rows()
	db.Reached(StepCommitted)
	return nil
}

// maxPreparations is how often a transaction is prepared without its lock.
const maxPreparations = 3

// begin begins a write transaction that was prepared, and reports whether the file is still as the preparation
// saw it. It isn't where others write again and again.
func begin(ctx context.Context, db *DB, conn *sql.Conn, prepare func(*Tx) error, left *time.Duration) (prepared bool, err error) {
	if prepare == nil {
		return true, db.retryLocked(ctx, conn, "BEGIN IMMEDIATE", left)
	}
	for n := 1; ; n++ {
		was, err := prepareOn(ctx, db, conn, prepare)
		if errors.Is(ErrorKind(err), ErrLocked) { // It is read once the lock is ours.
			return false, db.retryLocked(ctx, conn, "BEGIN IMMEDIATE", left)
		}
		if err != nil {
			return false, err
		}
		db.Reached(StepPrepared)
		if err := db.retryLocked(ctx, conn, "BEGIN IMMEDIATE", left); err != nil {
			return false, err
		}
		is, err := DataVersion(ctx, conn)
		if err == nil && (is == was || n == maxPreparations) {
			return is == was, nil
		}
		abandon(ctx, conn)
		if err != nil {
			return false, err
		}
	}
}

// prepareOn calls fn on one state of the file and returns the version of that state: another one, on the same
// connection, says that others have written since.
func prepareOn(ctx context.Context, db *DB, conn *sql.Conn, fn func(*Tx) error) (version int64, err error) {
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return 0, err
	}
	defer abandon(ctx, conn)
	s, err := Probe(ctx, conn) // Its first read decides which state it is.
	if err != nil {
		return 0, err
	}
	if version, err = DataVersion(ctx, conn); err != nil {
		return 0, err
	}
	t := db.newTx(conn, s)
	defer t.Close()
	return version, fn(t)
}

// abandon rolls back the transaction of a connection, if it is in one.
func abandon(ctx context.Context, conn *sql.Conn) {
	_, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
}

// lockedTx returns the transaction of a connection that has the write lock, if the file may be written.
func lockedTx(ctx context.Context, db *DB, conn *sql.Conn) (*Tx, error) {
	if err := db.CheckPath(); err != nil { // It may have been replaced before it was opened for this.
		return nil, err
	}
	s, err := Probe(ctx, conn)
	if err != nil {
		return nil, err
	}
	if s.unstoppable() != "" { // A host may have begun to migrate the file since it was opened.
		return nil, &Error{Path: db.path, Verb: "write", Kind: ErrReadOnly, hint: unstoppableHint(s)}
	}
	if err := s.checkTriggers(db.path); err != nil { // Another program may have made one since.
		return nil, err
	}
	t := db.newTx(conn, s)
	t.changes = newChangeCount()
	return t, t.changes.watch(conn)
}

// The steps of a transaction at which tests stop it.
const (
	StepPrepared  = "prepared"  // What it needs is read, before it has the lock.
	StepBegun     = "begun"     // It has the write lock.
	StepRows      = "rows"      // The rows are changed.
	StepMade      = "made"      // All is changed and recorded.
	StepCommitted = "committed" // It is over.
)

// Reached tells a test that a transaction has come so far.
func (db *DB) Reached(step string) {
	if db.Step != nil {
		db.Step(step)
	}
}

// lockPoll is how long SQLite itself waits for a lock, which nothing can cut
// short.
const lockPoll = 100 * time.Millisecond

// waitReport is the key of the report in a context that ReportWaits made.
type waitReport struct{}

// ReportWaits returns ctx for a write that says in report's note that it waits for another
// program's lock, and who has the file open.
func ReportWaits(ctx context.Context, report Report) context.Context {
	return context.WithValue(ctx, waitReport{}, report)
}

// reportWait says that a write waits.
func (f *openedFile) reportWait(ctx context.Context) {
	if report, ok := ctx.Value(waitReport{}).(Report); ok && report != nil {
		report(0, 0, strings.TrimSuffix(strings.TrimSuffix("waiting for another program's lock: "+f.holderNames(), "."), ": "))
	}
}

// retryLocked runs a statement that may have to wait for other programs' locks, for as long as
// left and ctx allow, and takes off left how long that was. The statement itself isn't
// interrupted: nobody could say whether an interrupted commit was made.
func (f *openedFile) retryLocked(ctx context.Context, conn *sql.Conn, query string, left *time.Duration) error {
	start := time.Now()
	defer func() { *left -= time.Since(start) }()
	for reported := false; ; {
		_, err := conn.ExecContext(context.WithoutCancel(ctx), query)
		switch {
		case err == nil || !errors.Is(ErrorKind(err), ErrLocked):
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case time.Since(start) >= *left:
			return err
		case !reported:
			f.reportWait(ctx)
			reported = true
		}
	}
}

// Close frees the prepared statements.
func (t *Tx) Close() {
	for _, s := range t.stmts {
		_ = s.Close()
	}
}

// Exec runs a statement that is likely to come again.
func (t *Tx) Exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	s, err := t.Stmt(ctx, query) //nolint:sqlclosecheck // It is kept, and closed with the transaction.
	if err != nil {
		return nil, err
	}
	r, err := s.ExecContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	return r, t.count(query, r)
}

// Stmt prepares a statement, which is kept and closed with the transaction.
func (t *Tx) Stmt(ctx context.Context, query string) (*sql.Stmt, error) {
	if s := t.stmts[query]; s != nil {
		return s, nil
	}
	s, err := t.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	t.stmts[query] = s
	return s, nil
}

// Row reads the row of a table that has these key values, with these columns, or nil.
func (t *Tx) Row(ctx context.Context, table string, key Row, columns []string) (Row, error) {
	where, args := WhereSQL(key)
	return t.First(ctx, "SELECT "+QuoteAll(columns)+" FROM "+QuoteName(table)+where, args, columns)
}

// First reads the first row of a query for these columns, or nil.
func (t *Tx) First(ctx context.Context, query string, args []any, columns []string) (Row, error) {
	s, err := t.Stmt(ctx, query) //nolint:sqlclosecheck // As in Exec.
	if err != nil {
		return nil, err
	}
	r, err := ScanRow(s.QueryRowContext(ctx, args...).Scan, columns)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return r, err
}

// ForgetStatements closes the prepared statements: one that uses an index would be in the way of
// dropping it.
func (t *Tx) ForgetStatements() {
	t.Close()
	clear(t.stmts)
}

// Changed returns how many rows the statements changed so far.
func (t *Tx) Changed() (int64, error) { return t.changes.total() }
