package data

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"lcm-tui/internal/parallel"
)

// undoTable holds what was written. It is in the same file as the data because
// SQLite in WAL mode doesn't commit two files as one. It is made by the first
// write, never by browsing. Its ids are never used again though it has no
// AUTOINCREMENT, which would write into a table of the host: records are kept.
const undoTable = "lcm_tui_undo"

const undoSchema = `CREATE TABLE IF NOT EXISTS lcm_tui_undo (
	id INTEGER PRIMARY KEY,
	op TEXT NOT NULL,
	title TEXT NOT NULL,
	applied_at TEXT NOT NULL,
	undone_at TEXT,
	detail TEXT NOT NULL,
	changes TEXT NOT NULL,
	search TEXT NOT NULL)`

// Record is one write of this program.
type Record struct {
	ID        int64           `json:"id"`
	Op        string          `json:"op"`
	Title     string          `json:"title"`
	AppliedAt Time            `json:"applied_at"`
	UndoneAt  Time            `json:"undone_at"`
	Detail    json.RawMessage `json:"detail,omitempty"` // What the operation wants to remember, such as its impact.
	// Redoes is the undone record whose changes it made again, and RedoneBy the record that
	// made its changes again; 0 is none.
	Redoes   int64 `json:"redoes,omitempty"`
	RedoneBy int64 `json:"redone_by,omitempty"`
	// Unfinished says that parts of it are missing, or that parts of it are undone.
	Unfinished bool `json:"unfinished,omitempty"`
}

// Undone reports whether the record was undone.
func (r Record) Undone() bool { return !r.UndoneAt.Null }

// State is what became of the record, in words.
func (r Record) State() string {
	switch {
	case r.Unfinished:
		return "not finished"
	case r.RedoneBy != 0:
		return fmt.Sprintf("redone as #%d", r.RedoneBy)
	case r.Undone():
		return "undone"
	}
	return "applied"
}

// ErrUndone says that a record was undone already.
var ErrUndone = errors.New("undone already")

// ErrNoRecord says that there is nothing to undo.
var ErrNoRecord = errors.New("there is nothing to undo")

// Batch is one write: what it is called, what it changes, and what must hold.
type Batch struct {
	Op, Title string
	Detail    json.RawMessage
	Changes   []Change
	Guards    []Guard
	// Forgets allows that messages can no longer be reached from the context.
	Forgets bool
	// Leaves are the messages of which it is allowed even so.
	Leaves []int64
	// Away are the conversations whose items get other ordinals, or come between others:
	// the batch is refused with a HostError unless their host is away. Force takes that
	// risk.
	Away  []int64
	Force bool
	// FirstMessage is the first number of the messages that are new in the batch: they
	// get others where these are taken when it is written. 0 for none.
	FirstMessage int64
	// Sources are what its new texts were made of: it is stale when one has changed.
	Sources []SourceText
	// Bulk records of rows that are inserted only their keys and digests. That is
	// enough to take them back, and for a transcript's rows, which stand in the
	// transcript anyway, half of what is written.
	Bulk bool
	// Rebuild names search tables that are made anew from the rows. Undo doesn't bring
	// the old ones back: they hold nothing of their own, and are kept in step with the
	// rows that it restores.
	Rebuild []string
	// Redoes is the undone record whose changes it makes again; 0 is none.
	Redoes int64
}

// Outcome is what became of a batch.
type Outcome struct {
	Record   int64 // The id of its record.
	Appended int   // Items that a host had appended to its contexts, which stay behind.
	Pending  int64 // Batches of background summaries that were given up for it.
}

// Write makes a batch of changes in one short transaction and returns the id of
// its record. It writes nothing at all, and returns a StaleError, when a row or a
// guard isn't what the plan saw; an InvariantError, when the result would be
// broken; a HostError, when a host is at work that it would disturb; an Error of kind
// ErrLocked, when others don't let it write.
func (db *DB) Write(ctx context.Context, b Batch) (id int64, err error) {
	out, err := db.WriteBatch(ctx, b)
	return out.Record, err
}

// WriteBatch is Write, and says more of what became of the batch. A large batch is written
// in several short transactions; where it can't be finished, what was written of it is
// taken back, or it returns an UnfinishedError.
func (db *DB) WriteBatch(ctx context.Context, b Batch) (Outcome, error) {
	b = b.withoutPending()
	if p := b.split(db.partRows); p.some() {
		return db.writeParts(ctx, b, p)
	}
	return db.writeWhole(ctx, b, nil)
}

// writeWhole writes a batch in one transaction, as the core of a record in parts if one is
// given.
func (db *DB) writeWhole(ctx context.Context, b Batch, record *partWriter) (out Outcome, err error) {
	// Hosts wait for the transaction, so what doesn't depend on it is made beside it.
	planned := sync.OnceValues(b.encode)
	go func() { _ = parallel.Call(func() error { _, err := planned(); return err }) }() // Who calls it next panics too.
	changes := planned
	again, done, err := db.verify(ctx, b.Sources)
	if err != nil {
		return out, err
	}
	defer done()
	held := db.Holders(db.path)
	var unseeded []seeding
	err = db.write(ctx, "write", func(t *tx) error {
		defer func() { unseeded = t.unseeded }()
		if err := again(ctx); err != nil {
			return err
		}
		out, err = t.writeCore(ctx, b, changes, held, record)
		return err
	})
	if err != nil {
		return Outcome{}, err
	}
	if err := db.seed(ctx, unseeded); err != nil {
		return out, &UnfinishedError{out.Record, err}
	}
	return out, nil
}

// writeCore compares and writes a batch; changes are these as they are recorded, unless
// others have come in between.
func (t *tx) writeCore(ctx context.Context, b Batch, changes func() ([]byte, error), held Holders, record *partWriter) (out Outcome, err error) {
	noted, err := t.compare(ctx, &b)
	if err != nil {
		return out, err
	}
	more, appended, err := t.makeRoom(ctx, &b)
	if err != nil {
		return out, err
	}
	other, err := t.renumber(ctx, &b)
	if err != nil {
		return out, err
	}
	n := len(b.Changes)
	if b.Changes, err = t.withFollowers(ctx, b.Changes); err != nil {
		return out, err
	}
	if out.Appended = appended; len(more) > 0 || other || noted || len(b.Changes) != n {
		b.Changes = slices.Concat(more, b.Changes)
		changes = b.encode
	}
	if out.Pending, err = t.abandonPending(ctx, b.Changes); err != nil {
		return out, err
	}
	watch, err := t.startWatch(ctx, b.Changes, held, b.Forgets || len(b.Leaves) > 0)
	if err != nil {
		return out, err
	}
	search, err := t.carefully(ctx, b)
	if err != nil {
		return out, err
	}
	if record != nil {
		out.Record, err = t.recordCore(ctx, b, search, record)
	} else {
		out.Record, err = t.record(ctx, b, changes, search)
	}
	if err != nil {
		return out, err
	}
	return out, t.saveWatch(ctx, watch, out.Record)
}

// alone fails unless the hosts are away that would be disturbed: one may have come back
// since the plan was made.
func (t *tx) alone(ctx context.Context, b Batch) error {
	for _, conv := range b.Away {
		p, err := t.db.presence(ctx, t, t.schema, conv)
		if err != nil {
			return err
		}
		if !p.Away() && !b.Force {
			return &HostError{Conversation: conv, Presence: p, Need: "items of its context would move, or make way for others, that the host may have chosen"}
		}
	}
	return nil
}

// encode is the changes as they're recorded.
func (b Batch) encode() ([]byte, error) {
	cs := b.Changes
	if b.Bulk {
		var err error
		if cs, err = briefly(cs); err != nil {
			return nil, err
		}
	}
	return json.Marshal(cs)
}

// carefully makes the changes, and brings the search tables in step, if nothing is
// worse afterwards. What is only added to at its end needs no look.
func (t *tx) carefully(ctx context.Context, b Batch) (search []Change, err error) {
	coverage := !b.Forgets && slices.ContainsFunc(b.Changes, unlinks)
	convs, err := t.touched(ctx, b.Changes)
	if err != nil {
		return nil, err
	}
	appends, err := t.appends(ctx, b.Changes)
	if err != nil {
		return nil, err
	}
	if appends && !coverage { // Nothing is moved, and nothing lost.
		convs = nil
	}
	was, err := t.look(ctx, convs, coverage)
	if err != nil {
		return nil, err
	}
	for _, covered := range was.covered {
		for _, id := range b.Leaves {
			delete(covered, id)
		}
	}
	if err := t.perform(ctx, b.Changes); err != nil {
		return nil, err
	}
	if search, err = t.search(ctx, b); err != nil {
		return nil, err
	}
	return search, t.worse(ctx, was, coverage, b.Away)
}

func (t *tx) record(ctx context.Context, b Batch, encode func() ([]byte, error), search []Change) (int64, error) {
	if _, err := t.ExecContext(ctx, undoSchema); err != nil {
		return 0, fmt.Errorf("make the undo table: %w", err)
	}
	if b.Bulk {
		var err error
		if search, err = briefly(search); err != nil {
			return 0, err
		}
	}
	changes, err := encode()
	if err != nil {
		return 0, fmt.Errorf("record: %w", err)
	}
	index, err := json.Marshal(search)
	if err != nil {
		return 0, fmt.Errorf("record: %w", err)
	}
	detail := b.Detail
	if detail == nil {
		detail = json.RawMessage("{}")
	}
	r, err := t.ExecContext(ctx, `INSERT INTO lcm_tui_undo (op, title, applied_at, detail, changes, search) VALUES (?, ?, ?, ?, ?, ?)`,
		b.Op, b.Title, FormatTimeMillis(t.now), string(detail), string(changes), string(index))
	if err != nil {
		return 0, fmt.Errorf("record: %w", err)
	}
	id, err := r.LastInsertId()
	if err != nil {
		return 0, err
	}
	return id, t.noteAllowance(ctx, b, id)
}

// hasTable reports whether the file has a table of this program's own by now: the first
// write makes it, maybe since the file was opened.
func (db *DB) hasTable(ctx context.Context, name string) (some bool, err error) {
	_, err = db.one(ctx, "read history", "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = ?)", []any{name}, &some)
	return some, err
}

// History are the records of the file, newest first.
func (db *DB) History(ctx context.Context) ([]Record, error) {
	if some, err := db.hasTable(ctx, undoTable); err != nil || !some {
		return nil, err
	}
	const query = `SELECT id, op, title, applied_at, undone_at, detail, CASE WHEN json_valid(detail) THEN json_extract(detail, '$.redoes') END
		FROM lcm_tui_undo ORDER BY id DESC`
	all, err := collect(ctx, db, "read history", query, nil, func(scan RowScanner, r *Record) error {
		var detail text
		err := scan(&r.ID, (*text)(&r.Op), (*text)(&r.Title), &r.AppliedAt, &r.UndoneAt, &detail, (*integer)(&r.Redoes))
		if json.Valid([]byte(detail)) {
			r.Detail = json.RawMessage(detail)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, db.relate(ctx, all)
}

// relate fills in what records say of each other, and which of them aren't finished.
func (db *DB) relate(ctx context.Context, all []Record) error {
	open, err := db.UnfinishedChanges(ctx)
	if err != nil {
		return err
	}
	at := map[int64]*Record{}
	for i := range all {
		at[all[i].ID] = &all[i]
	}
	for _, u := range open {
		if r := at[u.Record]; r != nil {
			r.Unfinished = true
		}
	}
	for _, r := range all { // The newest first, so that it is the one that counts.
		if done := at[r.Redoes]; done != nil && done.RedoneBy == 0 && !(r.Undone() && r.cutShort()) {
			done.RedoneBy = r.ID
		}
	}
	return nil
}

// RecordChanges are the changes of a record as they were written, or a
// NotFoundError.
func (db *DB) RecordChanges(ctx context.Context, id int64) (Record, []Change, error) {
	rs, err := db.History(ctx)
	if err != nil {
		return Record{}, nil, err
	}
	for _, r := range rs {
		if r.ID != id {
			continue
		}
		var raw text
		if _, err := db.one(ctx, "read record", "SELECT changes FROM lcm_tui_undo WHERE id = ?", []any{id}, &raw); err != nil {
			return r, nil, err
		}
		cs, err := readChanges(string(raw))
		if err != nil {
			return r, nil, err
		}
		more, err := db.partChanges(ctx, id)
		return r, append(cs, more...), err
	}
	return Record{}, nil, db.notFound("record", id)
}

// HasRecords reports whether the file has a record that isn't undone.
func (db *DB) HasRecords(ctx context.Context) (some bool, err error) {
	if made, err := db.hasTable(ctx, undoTable); err != nil || !made {
		return false, err
	}
	_, err = db.one(ctx, "read history", "SELECT EXISTS (SELECT 1 FROM lcm_tui_undo WHERE undone_at IS NULL)", nil, &some)
	return some, err
}

// Last is the newest record that isn't undone, or ErrNoRecord.
func (db *DB) Last(ctx context.Context) (Record, error) {
	rs, err := db.History(ctx)
	if err != nil {
		return Record{}, err
	}
	return LastApplied(rs)
}

// LastApplied is the newest of some records that isn't undone, or ErrNoRecord.
func LastApplied(records []Record) (Record, error) {
	for _, r := range records {
		if !r.Undone() {
			return r, nil
		}
	}
	return Record{}, ErrNoRecord
}

// Undo takes back a record's changes in one transaction. It refuses with a
// StaleError when a row that was written has changed since, with a BlockedError when a
// later record of this program did that, and with a HostError when a host is at work that
// it would disturb. An import is taken back out of a host's conversation only until that
// went on: else it returns a ReplayError. What a host has appended to the context in the
// meantime stays behind.
func (db *DB) Undo(ctx context.Context, id int64) error { return db.undo(ctx, id, false) }

// ForceUndo is Undo whatever the host may be doing.
func (db *DB) ForceUndo(ctx context.Context, id int64) error { return db.undo(ctx, id, true) }

func (db *DB) undo(ctx context.Context, id int64, force bool) error {
	r, cs, err := db.RecordChanges(ctx, id)
	switch {
	case err != nil:
		return err
	case r.Undone():
		return fmt.Errorf("record %d: %w", id, ErrUndone)
	}
	own := func(c Change) bool { return isSearch(c.Table) } // They are in search, with their rowids.
	cs = Invert(slices.DeleteFunc(cs, own))
	if !force {
		if err := db.keepsHistory(ctx, r, cs); err != nil {
			return err
		}
	}
	numbers, err := db.partsOf(ctx, id)
	if err != nil {
		return err
	}
	if len(numbers) > 0 {
		return db.blocked(ctx, r, cs, db.undoParts(ctx, id, numbers, force))
	}
	held := db.Holders(db.path)
	undo := func(rules bool) error {
		return db.writeBy(ctx, "undo", rules, func(t *tx) error {
			search, err := t.takeRecord(ctx, id)
			if err != nil {
				return err
			}
			watch, err := t.startUndoWatch(ctx, cs, held)
			if err != nil {
				return err
			}
			if rules {
				err = t.restore(ctx, cs, Invert(search), force)
			} else {
				err = t.restoreDamage(ctx, cs, Invert(search), force)
			}
			if err != nil {
				return err
			}
			return t.saveWatch(ctx, watch, id)
		})
	}
	if err = undo(true); errors.Is(err, ErrConstraint) {
		err = undo(false) // What a repair mended breaks the schema's rules again.
	}
	return db.blocked(ctx, r, cs, err)
}

// takeRecord marks a record as undone and returns its changes to the search tables.
func (t *tx) takeRecord(ctx context.Context, id int64) (search []Change, err error) {
	var raw string
	err = t.QueryRowContext(ctx, `UPDATE lcm_tui_undo SET undone_at = ? WHERE id = ? AND undone_at IS NULL RETURNING search`,
		FormatTimeMillis(t.now), id).Scan(&raw)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, fmt.Errorf("record %d: %w", id, ErrUndone)
	case err != nil:
		return nil, fmt.Errorf("record %d: %w", id, err)
	}
	return readChanges(raw)
}

// readChanges are changes as they were recorded.
func readChanges(raw string) (cs []Change, err error) {
	if err := json.Unmarshal([]byte(raw), &cs); err != nil {
		return nil, err
	}
	return expand(cs)
}

// restore makes the inverse changes.
func (t *tx) restore(ctx context.Context, cs, search []Change, force bool) error {
	search = withoutGaps(search)
	cs, err := t.restoreContexts(ctx, cs, force)
	if err != nil {
		return err
	}
	if cs, err = t.essential(ctx, cs); err != nil {
		return err
	}
	if err := t.check(ctx, cs); err != nil {
		return err
	}
	if _, err := t.abandonPending(ctx, cs); err != nil {
		return err
	}
	if err := t.perform(ctx, cs); err != nil {
		return err
	}
	if err := t.followCounts(ctx, cs); err != nil {
		return err
	}
	return t.restoreFTS(ctx, cs, search)
}

// occupied reports whether the place of a row that is to come back is taken, and not
// freed by the same changes.
func (t *tx) occupied(ctx context.Context, cs []Change) bool {
	freed := map[string]bool{}
	for _, c := range cs {
		if c.After == nil {
			freed[c.Label()] = true
		}
	}
	return slices.ContainsFunc(cs, func(c Change) bool {
		if c.Before != nil || freed[c.Label()] {
			return false
		}
		got, err := t.row(ctx, c.Table, c.After.pick(c.Key), c.Key)
		return err != nil || got != nil
	})
}

// restoreFTS puts the search tables back as they were, even where they were out
// of step. Those that were made anew, by the record or by a host since, it brings in
// step.
func (t *tx) restoreFTS(ctx context.Context, cs, search []Change) error {
	search, rebuilt := withoutRebuilt(search)
	if t.check(ctx, search) != nil || t.occupied(ctx, search) {
		_, err := t.syncFTS(ctx, cs, t.schema.FTS)
		return err
	}
	if _, err := t.index(ctx, search); err != nil {
		return err
	}
	_, err := t.syncFTS(ctx, cs, rebuilt)
	return err
}
