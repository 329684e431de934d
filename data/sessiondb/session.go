package sessiondb

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"
)

// Session is one session of an agent.
type Session struct {
	ID       string
	Keys     []string // The session keys that name it, or named it, sorted.
	Current  bool     // A key names it now.
	Created  time.Time
	Newest   time.Time // When its newest event was written; zero without events.
	Events   int64
	Bytes    int64  // Of its transcript, as a session file would hold it: a line for each event.
	LastSeq  int64  // The seq of its last event; -1 without events.
	Previous string // The session that it follows, or empty.
	// Rewrite names the state of a transcript that the host rewrote; it changes each time.
	// Rewritten is when it last did.
	Rewrite   string
	Rewritten time.Time

	updated time.Time // When the host last wrote to the session, by its own row.
	cold    *coldArchive
}

// Changed returns when the host last wrote the transcript.
func (s *Session) Changed() time.Time {
	if s.Rewritten.After(s.Newest) {
		return s.Rewritten
	}
	return s.Newest
}

// sessionList collects sessions from several tables.
type sessionList struct {
	byID     map[string]*Session
	rewrites map[string]rewrite
}

// rewrite is the newest rewrite of a session's transcript by the host.
type rewrite struct {
	generation string
	at         time.Time
}

func newSessionList() *sessionList {
	return &sessionList{byID: map[string]*Session{}, rewrites: map[string]rewrite{}}
}

// at returns the session with an id, a new one at its first mention.
func (l *sessionList) at(id string) *Session {
	s := l.byID[id]
	if s == nil {
		s = &Session{ID: id, LastSeq: -1}
		l.byID[id] = s
	}
	return s
}

func (s *Session) addKey(key string) {
	if i, found := slices.BinarySearch(s.Keys, key); key != "" && !found {
		s.Keys = slices.Insert(s.Keys, i, key)
	}
}

// Sessions lists the sessions of the agent, newest first. A session of which no transcript
// is left has no events. Where a part of the file can't be read, it lists the others and
// Warnings says so.
func (db *DB) Sessions(ctx context.Context) ([]*Session, error) {
	return db.sessions(ctx, "")
}

// Session reads what is known of one session.
func (db *DB) Session(ctx context.Context, id string) (*Session, error) {
	all, err := db.sessions(ctx, id)
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		if s.ID == id {
			return s, nil
		}
	}
	return nil, &Error{Path: db.path, Verb: "look for the session " + id + " in", Kind: ErrNoSession}
}

// withoutTranscripts says why the file has no transcripts that can be read.
func (db *DB) withoutTranscripts() error {
	if _, there := db.tables["transcript_events"]; there || db.schema > newestSchema {
		return ErrUnknownLayout
	}
	return ErrNoTranscripts
}

// sessions lists all sessions, or the one with an id.
func (db *DB) sessions(ctx context.Context, id string) ([]*Session, error) {
	const verb = "list the sessions of"
	if !db.HasTranscripts() {
		return nil, &Error{Path: db.path, Verb: verb, Kind: db.withoutTranscripts()}
	}
	l := newSessionList()
	for _, read := range []func(context.Context, *sessionList, string) error{db.addWindows, db.addKeys, db.addRewrites, db.addEvents, db.addCold} {
		err := read(ctx, l, id)
		if isDamage(err) {
			db.warn(db.damaged(verb, err))
			continue
		}
		if err != nil {
			return nil, db.wrap(verb, err)
		}
	}
	out := make([]*Session, 0, len(l.byID))
	for id, s := range l.byID {
		s.Rewrite, s.Rewritten = l.rewrites[id].generation, l.rewrites[id].at
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b *Session) int {
		return cmp.Or(b.Changed().Compare(a.Changed()), b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID))
	})
	return out, nil
}

// where limits a query to one session, if one is asked for.
func where(column, id string) (clause string, args []any) {
	if id == "" {
		return "", nil
	}
	return " WHERE " + column + " = ?", []any{id}
}

// addWindows reads the sessions themselves: session_windows since version 14, sessions before.
func (db *DB) addWindows(ctx context.Context, l *sessionList, id string) error {
	for _, table := range []string{"session_windows", "sessions"} {
		if !db.tables.has(table, "session_id") {
			continue
		}
		clause, args := where("session_id", id)
		query := "SELECT session_id, " + db.tables.column(table, "session_key") + ", " + db.tables.column(table, "previous_session_id") + ", " +
			db.tables.column(table, "created_at") + ", coalesce(" +
			db.tables.column(table, "transcript_updated_at") + ", " + db.tables.column(table, "updated_at") + ") FROM " + table + clause
		err := db.each(ctx, query, args, func(row []any) {
			s := l.at(asText(row[0]))
			s.addKey(asText(row[1]))
			s.Previous, s.Created, s.updated = asText(row[2]), asTime(row[3]), asTime(row[4])
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// addKeys reads which session each session key names now.
func (db *DB) addKeys(ctx context.Context, l *sessionList, id string) error {
	return db.eachKey(ctx, id, func(key, session string) {
		s := l.at(session)
		s.addKey(key)
		s.Current = true
	})
}

// eachKey calls fn with each session key and the session that it names now, or with those of one session:
// session_nodes since version 14, session_entries and session_routes before.
func (db *DB) eachKey(ctx context.Context, id string, fn func(key, session string)) error {
	for _, t := range []struct{ table, session string }{
		{"session_nodes", "current_session_id"}, {"session_entries", "session_id"}, {"session_routes", "session_id"},
	} {
		if !db.tables.has(t.table, "session_key", t.session) {
			continue
		}
		clause, args := where(t.session, id)
		err := db.each(ctx, "SELECT session_key, "+t.session+" FROM "+t.table+clause, args, func(row []any) {
			if session := asText(row[1]); session != "" {
				fn(asText(row[0]), session)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// addRewrites reads which transcripts the host rewrote, also those that no other table has
// named yet. It comes before the events, so that a rewrite in between is noticed.
func (db *DB) addRewrites(ctx context.Context, l *sessionList, id string) error {
	const table = "transcript_rewrite_watermarks"
	if !db.tables.has(table, "session_id", "generation") {
		return nil
	}
	clause, args := where("session_id", id)
	return db.each(ctx, "SELECT session_id, generation, "+db.tables.column(table, "updated_at")+" FROM "+table+clause, args, func(row []any) {
		l.rewrites[asText(row[0])] = rewrite{asText(row[1]), asTime(row[2])}
	})
}

// addEvents counts the events of transcripts and their bytes. SQLite tells the size of a value
// without reading it.
func (db *DB) addEvents(ctx context.Context, l *sessionList, id string) error {
	clause, args := where("session_id", id)
	query := "SELECT session_id, count(*), sum(" + db.eventSize() + ") + count(*), max(seq), max(" + db.tables.column("transcript_events", "created_at") +
		") FROM transcript_events" + clause + " GROUP BY session_id"
	err := db.each(ctx, query, args, func(row []any) {
		s := l.at(asText(row[0]))
		s.Events, s.Bytes, s.LastSeq, s.Newest = asInt(row[1]), asInt(row[2]), asInt(row[3]), asTime(row[4])
	})
	if isDamage(err) {
		return errors.Join(err, db.addReadableEvents(ctx, l, id))
	}
	return err
}

// eventSize returns the size of an event's JSON in bytes, as an expression.
func (db *DB) eventSize() string {
	if db.tables.has("transcript_events", "event_zstd", "event_utf8_bytes") {
		return "coalesce(octet_length(event_json), event_utf8_bytes, 0)"
	}
	return "coalesce(octet_length(event_json), 0)"
}
