package change

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/outcome"
	"lcm-tui/internal/parallel"
)

// SetWrite is a write of more rows than one short transaction can take: it is written in
// turns, under one record. Each turn leaves a file that a host can run with.
type SetWrite struct {
	Op, Title string
	// Detail is what the record remembers, a JSON object; how far the write is comes into it
	// as "progress".
	Detail json.RawMessage
	// Record is a record that exists, under which the set is written: that of a set which it
	// undoes. 0 makes a new one.
	Record int64
	// Attach are databases that the turns read, by the names under which SQL knows them.
	Attach map[string]string
	// Erase overwrites what the turns replace or delete with zeros, so that it doesn't stay in free
	// pages of the file.
	Erase bool
	// NoUndo says that the record can't be undone.
	NoUndo bool
	// Prepare reads, before each turn and without a lock, what that turn is to write; nil is
	// nothing.
	Prepare func(ctx context.Context) error
	// Write writes the rows of one turn: it ends when the turn is full. done says that none
	// are left. It is not called again after an error, which rolls its turn back.
	Write func(ctx context.Context, t *Turn) (done bool, err error)
	// WithoutRules doesn't enforce the schema's rules: the set itself deletes what refers to the
	// rows that it deletes. SQLite would read whole tables for each of them, since the columns of
	// context_items have no index.
	WithoutRules bool
	// Report gets how far the write is; it may be nil.
	Report data.Report
}

const (
	// maxTurnTime is how long the statements of a turn take at most, and maxLockTime what the turn is to
	// take with the commit. On a busy machine turns get shorter, so that hosts wait for less than a second.
	maxTurnTime = 200 * time.Millisecond
	minTurnTime = 10 * time.Millisecond
	maxLockTime = 250 * time.Millisecond
	// MaxTurnRows is how many messages a turn writes at most.
	MaxTurnRows = 2000
	// maxWAL is the size in bytes from which the -wal is emptied between two turns.
	maxWAL = 64 << 20
)

// WriteSet writes a set turn by turn, and pauses after each for at least as long as it kept the lock, so
// that other programs can write. Where it can't go on, the turns before stay and it returns a
// *StoppedError; where nothing was written, the cause alone.
func WriteSet(ctx context.Context, db *data.DB, w SetWrite) (Outcome, error) {
	outcome.Of(ctx).Begin()
	s := &setWriter{db: db, set: w, record: w.Record, turnTime: maxTurnTime}
	if w.Record != 0 {
		r, _, err := RecordChanges(ctx, db, w.Record)
		if err != nil {
			return Outcome{}, err
		}
		s.set.Title = strings.TrimSuffix(r.Title, notFinished)
	}
	for {
		done, locked, err := s.writeTurn(ctx)
		if err != nil {
			return Outcome{Record: s.record}, s.stop(err)
		}
		if done {
			return Outcome{Record: s.record}, nil
		}
		if err := s.pause(ctx, max(pause, locked)); err != nil {
			return Outcome{Record: s.record}, s.stop(err)
		}
	}
}

// setWriter writes the turns of one set.
type setWriter struct {
	db     *data.DB
	set    SetWrite
	record int64
	turns  int
	at     progress // After the last turn.
	// turnTime is how long the statements of the next turn may take.
	turnTime time.Duration
}

// nextTurnTime returns how long the statements of a turn may take after one that had the time before and kept
// the lock for so long.
func nextTurnTime(before, locked time.Duration) time.Duration {
	if locked <= maxLockTime/2 {
		return min(maxTurnTime, before*3/2)
	}
	return max(minTurnTime, min(before, time.Duration(float64(before)*float64(maxLockTime)/float64(locked))))
}

// progress is how far a set is written, as its record has it.
type progress struct {
	Done  int64  `json:"done"`
	Total int64  `json:"total"`
	Unit  string `json:"unit"`
}

// writeTurn writes one turn, and returns how long it kept the lock.
func (s *setWriter) writeTurn(ctx context.Context) (done bool, locked time.Duration, err error) {
	if s.set.Prepare != nil {
		if err := s.set.Prepare(ctx); err != nil {
			return false, 0, err
		}
	}
	record, at := s.record, s.at
	var began time.Time
	err = parallel.Call(func() error { // A panic is an error, so that the turns before are reported.
		return writeAttached(ctx, s.db, "write", s.set, func(t *tx) (err error) {
			began = time.Now() // The lock is ours.
			if record == 0 {
				if record, err = s.begin(ctx, t); err != nil {
					return err
				}
			}
			turn := &Turn{t: t, record: record, number: s.turns, began: began, most: s.turnTime, at: at}
			if done, err = s.set.Write(ctx, turn); err != nil {
				return err
			}
			at = turn.at
			return s.note(ctx, t, record, at, done)
		})
	})
	if err != nil {
		return false, 0, err
	}
	locked = time.Since(began)
	s.record, s.at = record, at
	outcome.Of(ctx).Record(record)
	s.turns++
	s.turnTime = nextTurnTime(s.turnTime, locked)
	if s.set.Report != nil {
		s.set.Report(int(at.Done), int(at.Total), "writing "+at.Unit)
	}
	return done, locked, nil
}

// begin makes the record, which says that it isn't finished.
func (s *setWriter) begin(ctx context.Context, t *tx) (int64, error) {
	if _, err := t.ExecContext(ctx, partSchema); err != nil { // History asks it for what isn't finished.
		return 0, fmt.Errorf("make the undo table: %w", err)
	}
	b := Batch{Op: s.set.Op, Title: s.set.Title + notFinished, Detail: s.set.Detail}
	b.Changes = []Change{}
	return writeRecord(ctx, t, b, []Change{})
}

// note keeps in the record how far the set is written.
func (s *setWriter) note(ctx context.Context, t *tx, record int64, at progress, done bool) error {
	title := s.set.Title
	if !done {
		title += notFinished
	}
	text, err := json.Marshal(at)
	if err != nil {
		return err
	}
	_, err = t.ExecContext(ctx, "UPDATE lcm_tui_undo SET title = ?, detail = json_set(detail, '$.progress', json(?)) WHERE id = ?", title, string(text), record)
	return err
}

// pause lets other programs write, and empties the -wal where it has grown.
func (s *setWriter) pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
	case <-ctx.Done():
		return ctx.Err()
	}
	if info, err := os.Stat(s.db.Path() + "-wal"); err == nil && info.Size() >= maxWAL {
		return data.TruncateWAL(ctx, s.db)
	}
	return nil
}

// stop returns what the set returns for an error.
func (s *setWriter) stop(err error) error {
	if s.turns == 0 {
		return err
	}
	return &StoppedError{Record: s.record, Done: s.at.Done, Total: s.at.Total, Unit: s.at.Unit, Err: err, Undoes: s.set.Record != 0, NoUndo: s.set.NoUndo}
}

// StoppedError says that a set was written in part. What was written is whole in itself and
// stays; the same request again writes the rest.
type StoppedError struct {
	Record      int64
	Done, Total int64
	Unit        string // What is counted, in the plural.
	Err         error
	Undoes      bool // It is the undo of the record that stopped.
	NoUndo      bool // The record can't be undone.
}

func (e *StoppedError) Error() string {
	return fmt.Sprintf("record %d stopped after %d of %d %s: %v", e.Record, e.Done, e.Total, e.Unit, e.Err)
}

// Unwrap gives the cause.
func (e *StoppedError) Unwrap() error { return e.Err }

// SaysOutcome marks it as an error that says what is written.
func (e *StoppedError) SaysOutcome() {}

// Hint says how to get on.
func (e *StoppedError) Hint() string { return withRoom(e.Err, e.next()) }

func (e *StoppedError) next() string {
	switch {
	case e.Undoes:
		return "what was put back stays; give the same command again for the rest"
	case e.NoUndo:
		return "what was written stays, and can't be undone; give the same command again for the rest"
	}
	return fmt.Sprintf("what was written stays; give the same command again for the rest, or undo it with lcm-tui undo %d", e.Record)
}

// ScreenHint says it for a screen.
func (e *StoppedError) ScreenHint() string { return withRoom(e.Err, e.nextOnScreen()) }

func (e *StoppedError) nextOnScreen() string {
	switch {
	case e.Undoes:
		return "what was put back stays; do the same again for the rest"
	case e.NoUndo:
		return "what was written stays, and can't be undone; plan it again for the rest"
	}
	return fmt.Sprintf("what was written stays; plan it again for the rest, or undo #%d in the history", e.Record)
}

// writeAttached works as transactWith on the connection that a set needs: one that reads other databases too, or
// that erases.
func writeAttached(ctx context.Context, db *data.DB, verb string, set SetWrite, fn func(*tx) error) error {
	var first string
	if set.Erase {
		first = "PRAGMA secure_delete = ON;"
	}
	for _, name := range slices.Sorted(maps.Keys(set.Attach)) {
		first += data.AttachSQL(set.Attach[name], name) + ";"
	}
	return transactWith(ctx, db, data.Transaction{Verb: verb, WithoutRules: set.WithoutRules, First: first, Once: true}, fn)
}
