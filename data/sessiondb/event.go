package sessiondb

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
)

// Event is one event of a transcript.
type Event struct {
	Seq      int64
	Position int64 // Among the events that were read, from 1.
	// JSON is the event as the host wrote it. It is good until the next event is asked
	// for, and nobody has checked that it is JSON.
	JSON []byte
}

// EventError says that one event can't be read. Others are read all the same.
type EventError struct {
	Seq, Position int64
	Err           error
}

func (e *EventError) Error() string { return fmt.Sprintf("event %d: %v", e.Seq, e.Err) }

// Unwrap gives the cause.
func (e *EventError) Unwrap() error { return e.Err }

// How much one statement reads, in rows and bytes, before it ends and gives up its snapshot. The
// first reads fewer rows: who wants to know only how a transcript begins needs no more.
const (
	firstRows = 8
	pageRows  = 512
	pageBytes = 4 << 20
)

// maxEvent is the size in bytes of the largest event that is read. A larger one is no message
// of anyone's.
const maxEvent = 64 << 20

var (
	errTooLong    = fmt.Errorf("longer than %d MB, which no message is", maxEvent>>20)
	errNoEvent    = errors.New("the row holds no event")
	errDamagedRow = errors.New("the row lies on a damaged page of the file")
)

// Events reads the events of a session in the order of seq, only those that were there when
// s was read. With an *EventError comes an event that can't be
// read; any other error is the last. If the host rewrites the transcript meanwhile, the last
// error is ErrRewritten.
func (db *DB) Events(ctx context.Context, s *Session) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		if s.cold != nil {
			if err := db.coldEvents(ctx, s, yield); err != nil && !errors.Is(err, errStop) {
				yield(Event{}, db.wrap("read a transcript of", err))
			}
			return
		}
		r := &eventReader{db: db, session: s, unpacker: newUnpacker(), after: -1 << 62}
		err := r.read(ctx, yield)
		if err == nil {
			err = db.checkRewrite(ctx, s)
		}
		if err != nil && !errors.Is(err, errStop) {
			yield(Event{}, db.wrap("read a transcript of", err))
		}
	}
}

// errStop ends reading early.
var errStop = errors.New("stop")

// eventReader reads the events of a session page by page.
type eventReader struct {
	db       *DB
	session  *Session
	unpacker *unpacker
	after    int64 // The seq of the event that was read last.
	position int64
	page     []storedEvent
	text     []byte // The values of the page.
	unpacked []byte
}

// storedEvent is a row of transcript_events. The values lie in the reader's text from start
// to end.
type storedEvent struct {
	seq        int64
	start, end int
	packed     bool
	size       int64 // Of the event in bytes; -1 where the row doesn't say.
	err        error
}

// read reads page by page, and row by row where a page of the file is damaged.
func (r *eventReader) read(ctx context.Context, yield func(Event, error) bool) error {
	for {
		err := r.readPage(ctx)
		damaged := err != nil && isDamage(err)
		if err != nil && !damaged {
			return err
		}
		n := len(r.page)
		if err := r.emit(yield); err != nil {
			return err
		}
		if damaged {
			return r.readRows(ctx, err, yield)
		}
		if n == 0 {
			return nil
		}
	}
}

// columns of an event, the text and the packed value only where they aren't too long.
func (r *eventReader) columns() string {
	limit := strconv.Itoa(maxEvent)
	t := r.db.tables
	packed, size := "NULL", "NULL"
	if t.has("transcript_events", "event_zstd", "event_utf8_bytes") {
		packed, size = "CASE WHEN event_json IS NULL AND octet_length(event_zstd) <= "+limit+" THEN event_zstd END", "event_utf8_bytes"
	}
	return "seq, CASE WHEN octet_length(event_json) <= " + limit + " THEN event_json END, " + packed +
		", CASE WHEN event_json IS NULL THEN " + size + " END, octet_length(event_json)"
}

// readPage reads the next events. With an error it has read those before the damage.
func (r *eventReader) readPage(ctx context.Context) error {
	r.page, r.text = r.page[:0], r.text[:0]
	if cap(r.text) > 4*pageBytes {
		r.text = nil
	}
	rows, err := r.db.pool.QueryContext(ctx, "SELECT "+r.columns()+" FROM transcript_events WHERE session_id = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
		r.session.ID, r.after, r.session.LastSeq, r.rows())
	if err != nil {
		return err
	}
	defer rows.Close()
	var row [5]any
	for len(r.text) < pageBytes && rows.Next() {
		if err := rows.Scan(&row[0], &row[1], &row[2], &row[3], &row[4]); err != nil {
			return err
		}
		r.add(row)
	}
	return errors.Join(rows.Err(), rows.Close())
}

// rows returns how many rows the next page has at most.
func (r *eventReader) rows() int {
	if r.position == 0 {
		return firstRows
	}
	return pageRows
}

// add puts a row into the page.
func (r *eventReader) add(row [5]any) {
	e := storedEvent{seq: asInt(row[0]), start: len(r.text), size: -1}
	packed, _ := row[2].([]byte)
	switch {
	case asInt(row[4]) > maxEvent:
		e.err = errTooLong
	case row[1] != nil:
		switch v := row[1].(type) {
		case string:
			r.text = append(r.text, v...)
		case []byte:
			r.text = append(r.text, v...)
		default:
			e.err = errNoEvent
		}
	case len(packed) > 0:
		e.packed = true
		r.text = append(r.text, packed...)
		if n, ok := row[3].(int64); ok {
			e.size = max(n, 0)
		}
	default:
		e.err = errNoEvent
	}
	e.end = len(r.text)
	r.page = append(r.page, e)
	r.after = e.seq
}

// emit passes on the events of the page.
func (r *eventReader) emit(yield func(Event, error) bool) error {
	for i := range r.page {
		if !r.emitOne(&r.page[i], yield) {
			return errStop
		}
	}
	return nil
}

func (r *eventReader) emitOne(e *storedEvent, yield func(Event, error) bool) bool {
	r.position++
	out, err := r.text[e.start:e.end], e.err
	if e.packed {
		out, err = r.unpacker.event(r.unpacked[:0], out, e.size)
		r.unpacked = out
	}
	if err != nil {
		return yield(Event{}, &EventError{e.seq, r.position, err})
	}
	return yield(Event{Seq: e.seq, Position: r.position, JSON: out}, nil)
}

// checkRewrite reports whether the transcript is still the one that was begun.
func (db *DB) checkRewrite(ctx context.Context, s *Session) error {
	l := newSessionList()
	if err := db.addRewrites(ctx, l, s.ID); err != nil && !isDamage(err) {
		return err
	}
	if l.rewrites[s.ID].generation != s.Rewrite {
		return &Error{Path: db.path, Verb: "read the session " + s.ID + " of", Kind: ErrRewritten}
	}
	return nil
}
