package sessiondb

import (
	"context"
	"slices"
)

// SessionMap is which sessions the host knows under which session keys.
type SessionMap struct {
	// Agent is the agent whose sessions these are; empty where the database doesn't say.
	Agent string
	// Current is the session that each key names now.
	Current map[string]string
	// Keys are, by session, the keys that name it or are noted with it, sorted.
	Keys map[string][]string
	// Owed are the sessions with turns that the host has yet to hand to its memory.
	Owed []string
}

// Knows reports whether a session key or a session stands anywhere in the map. Empty is none.
func (m SessionMap) Knows(name string) bool {
	_, key := m.Current[name]
	_, session := m.Keys[name]
	return name != "" && (key || session || slices.Contains(m.Owed, name) || m.HasKey(name))
}

// HasKey reports whether a session is noted with a key.
func (m SessionMap) HasKey(key string) bool {
	for _, keys := range m.Keys {
		if _, found := slices.BinarySearch(keys, key); found {
			return true
		}
	}
	return false
}

// Maps reports whether a key names a session, or is noted with it.
func (m SessionMap) Maps(key, session string) bool {
	_, found := slices.BinarySearch(m.Keys[session], key)
	return found
}

// SessionMap reads which sessions the host knows. Where a part of them can't be read, it fails.
func (db *DB) SessionMap(ctx context.Context) (SessionMap, error) {
	const verb = "list the sessions of"
	m := SessionMap{Current: map[string]string{}, Keys: map[string][]string{}}
	if !db.HasTranscripts() {
		return m, &Error{Path: db.path, Verb: verb, Kind: db.withoutTranscripts()}
	}
	l := newSessionList()
	if db.tables.has("schema_meta", "meta_key", "agent_id") {
		if err := db.each(ctx, "SELECT agent_id FROM schema_meta WHERE meta_key = 'primary'", nil, func(row []any) { m.Agent = asText(row[0]) }); err != nil {
			return m, db.wrap(verb, err)
		}
	}
	for _, read := range []func() error{
		func() error { return db.addWindows(ctx, l, "") },
		func() error {
			return db.eachKey(ctx, "", func(key, session string) {
				l.at(session).addKey(key)
				m.Current[key] = session
			})
		},
		func() error {
			return db.OwedTurns(ctx, func(t OwedTurn) {
				if !slices.Contains(m.Owed, t.Session) {
					m.Owed = append(m.Owed, t.Session)
				}
			})
		},
	} {
		if err := read(); err != nil {
			return m, db.wrap(verb, err)
		}
	}
	for id, s := range l.byID {
		m.Keys[id] = s.Keys
	}
	return m, nil
}
