package data

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"

	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/hint"
)

// Replica is a store that has the rows of a database file of some machine. A package that knows the store fills it in, and
// OpenReplica makes a DB of it, which reads as one of a file does.
type Replica struct {
	Name   string    // What Path returns: the address, without a password.
	Source string    // The name of the file in the store.
	Host   string    // The machine on which the file lies.
	File   string    // The path of the file there.
	At     time.Time // When the store was last equal to the file; zero where it never was.
	Bytes  int64     // The size of the file.
	// OnlySummaries says that messages and their parts aren't there: the machine sends summaries alone.
	OnlySummaries bool
	// IsChosen says that conversations of the file may be missing: the machine sends those that a filter chooses.
	IsChosen bool
	Tables   map[string]ReplicaTable
	// Pool runs statements in SQLite's language, BEGIN and ROLLBACK among them. It refuses what writes.
	Pool *sql.DB
	// Words finds texts by their words.
	Words WordIndex
	// Findings returns what a check of the file found on its machine, each as JSON, and when that was; the zero time is never.
	Findings func(ctx context.Context) (found []json.RawMessage, at time.Time, err error)
	// Lag returns how far the replica is behind its file, and what it refused.
	Lag func(ctx context.Context) (ReplicaLag, error)
	// Revision returns a number that is another one after each change of the rows.
	Revision func(ctx context.Context) (int64, error)
	// Wrap puts a failure of the pool, which came while doing verb, into words.
	Wrap func(verb string, err error) error
	// Home is set where the store isn't a replica of a file: conversations live in it, and it is written.
	Home *Home
}

// ReplicaLag is how far a replica is behind its file, and what was refused.
type ReplicaLag struct {
	SyncedAt time.Time // When it was last found equal to the file; zero where it never was.
	// WaitingOrders are the plans that its machine hasn't taken, RefusedOrders those that it refused, and RefusedSyncs the syncs that the
	// replica refused, because another database was sent under its name.
	WaitingOrders, RefusedOrders, RefusedSyncs int64
}

// ReplicaTable is a table as the file has it.
type ReplicaTable struct {
	Columns []ReplicaColumn // In the table's own order.
	RowID   bool            // Its rows have numbers of their own.
}

// ReplicaColumn is a column as the file has it.
type ReplicaColumn struct {
	Name     string
	Required bool // NOT NULL without a default.
	Key      int  // The place in the primary key, from 1, or 0.
	Number   bool // Declared as an integer or a floating-point number.
}

// replicas is what opens replicas; it is set once, before anything is opened.
var replicas struct {
	isAddress func(place string) bool
	open      func(ctx context.Context, address string) (*DB, error)
}

// RegisterReplicas sets what Open does with a place that is the address of a replica. A package that knows a store calls it
// from its init function, as drivers of databases do: this package can't import one that stands on it.
func RegisterReplicas(isAddress func(place string) bool, open func(ctx context.Context, address string) (*DB, error)) {
	replicas.isAddress, replicas.open = isAddress, open
}

// ErrElsewhere says that something needs the file of a database, of which a replica has only the rows.
var ErrElsewhere = errors.New("its file lies elsewhere")

// ErrForgotten says that a replica doesn't have the database any more that is open, though its server answers.
var ErrForgotten = errors.New("the replica doesn't have the database any more")

// ElsewhereError is the error of what can't be done on a replica: it says where the file lives.
type ElsewhereError struct {
	Replica *Replica
	Verb    string // What was to be done, such as "write".
}

func (e *ElsewhereError) Error() string {
	return fmt.Sprintf("%s %s: it is a replica, and the database lives in %s on %s", e.Verb, e.Replica.Name, e.Replica.File, e.Replica.Host)
}

// Unwrap gives ErrElsewhere, and for a write that the database is open for reading only.
func (e *ElsewhereError) Unwrap() []error { return []error{ErrElsewhere, ErrReadOnly} }

// Hint says what the user can do.
func (e *ElsewhereError) Hint() string {
	if e.Verb == "write" {
		return "write the plan into a file with --plan-out, and leave it for " + e.Replica.Host + " with lcm-tui fleet order " + e.Replica.Source + " FILE, or run the command there"
	}
	return "run the command on " + e.Replica.Host + ", where the file is"
}

// ScreenHint works as Hint for screens.
func (e *ElsewhereError) ScreenHint() string {
	if e.Verb == "write" {
		return "save the plan with W, and leave it for " + e.Replica.Host + " with lcm-tui fleet order " + e.Replica.Source + " FILE"
	}
	return "do it on " + e.Replica.Host + ", where the file is"
}

// NoMessages returns an error that says where the messages of a replica of summaries are, or nil.
func (r *Replica) NoMessages() error {
	if !r.OnlySummaries {
		return nil
	}
	return hint.New("the replica has only the summaries of "+r.Source+": its messages are in "+r.File+" on "+r.Host, "lcm-tui sync --level full --apply on "+r.Host+" sends them, too")
}

// SomeConversations returns an error that says that a replica has some conversations of its file only, or nil.
func (r *Replica) SomeConversations() error {
	if !r.IsChosen {
		return nil
	}
	return hint.New("the replica has only some conversations of "+r.Source+": the others are in "+r.File+" on "+r.Host, "lcm-tui fleet sources says which")
}

// OpenReplica opens a replica for reading. The pool belongs to the DB from then on, also where it fails.
func OpenReplica(r *Replica) (*DB, error) {
	isHome := r.Home != nil // Nobody writes there without this program's locks.
	db := &DB{
		openedFile: openedFile{path: r.Name, file: r.Name, replica: r, Holders: func(string) filesystem.Holders { return filesystem.Holders{Known: isHome} }},
		Now:        time.Now, NewID: randomID, Wait: lockWait, readWait: lockWait, PartRows: MaxPartRows,
		readers: r.Pool, schema: schemaOf(r), readerExtra: url.Values{}, watcher: &watcher{pool: r.Pool},
	}
	if err := db.detectKind(); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// schemaOf returns the schema of a replica. It has no search tables of SQLite.
func schemaOf(r *Replica) *Schema {
	s := &Schema{tables: map[string]table{}}
	for name, t := range r.Tables {
		own := table{rowid: t.RowID}
		for _, c := range t.Columns {
			own.columns = append(own.columns, column{name: c.Name, required: c.Required, pk: c.Key, number: c.Number})
		}
		own.key = keyOf(own.columns)
		s.tables[name] = own
	}
	if !r.OnlySummaries { // Its file isn't damaged.
		s.noteLacking()
	}
	return s
}

// Replica returns what a replica is one of; ok is false for a file.
func (f *openedFile) Replica() (r *Replica, ok bool) { return f.replica, f.replica != nil }

// needsFile fails for a replica: what is to be done needs the file.
func (f *openedFile) needsFile(verb string) error {
	if f.replica == nil {
		return nil
	}
	if f.IsHome() {
		return &HomeError{Name: f.path, Verb: verb}
	}
	return &ElsewhereError{Replica: f.replica, Verb: verb}
}

// WordTerm is a text as an index of words takes it: words in a row, of which the last one may be the beginning of a word only.
type WordTerm struct {
	Text   string
	Prefix bool
	// Part says that the text may stand anywhere in words: it has two characters in a row of a writing without blanks, whose pairs the
	// index has. Texts that it finds may lack the text itself.
	Part bool
}

// WordQuery asks for texts with one term of each group, and with none of the excluded ones.
type WordQuery struct {
	Groups   [][]WordTerm
	Excluded []WordTerm
}

// IsEmpty reports whether the query asks for nothing that an index of words has.
func (q WordQuery) IsEmpty() bool { return len(q.Groups) == 0 }

// WordRange says which messages are wanted: those with ids from From to To, both included, and of a conversation that is in each of
// these lists, the newest first, or the oldest if Oldest; and of them at most Limit after the first Skip ones. Those without a time come
// last.
type WordRange struct {
	From, To      int64
	Conversations [][]int64
	Oldest        bool
	Skip, Limit   int
}

// WordIndex finds texts of a replica by their words, as the search tables of a file do.
type WordIndex interface {
	// Missing returns how many messages and summaries the index lacks, which are rows that were sent lately: 0 is none. Above
	// most it returns most + 1.
	Missing(ctx context.Context, most int) (int, error)
	// IsExact reports whether a query finds only texts that have what it asks for. Of another, each text has to be looked at.
	IsExact(q WordQuery) bool
	// Messages returns the messages that a query finds; with missing also those that the index lacks.
	Messages(ctx context.Context, q WordQuery, in WordRange, missing bool) ([]int64, error)
	// CountMessages returns how many messages a query finds, without those that the index lacks.
	CountMessages(ctx context.Context, q WordQuery) (int64, error)
	// CountSummaries returns how many summaries each of some texts finds, in their order, without those that the index lacks.
	CountSummaries(ctx context.Context, texts []WordTerm) ([]int64, error)
	// Summaries works as Messages for all summaries, in no order.
	Summaries(ctx context.Context, q WordQuery, missing bool) ([]string, error)
}
