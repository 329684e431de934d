package hostactivity

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/data/sessiondb"
)

// SessionStores are what the databases of all agents of a host of 1.0 say about sessions: such a host
// finds sessions there alone.
type SessionStores struct {
	stateDir string
	paths    []string
	maps     []sessiondb.SessionMap
	err      error // Why one can't be read.
}

// ReadSessionStores reads the databases of the agents below the state folder of a host, and of agents
// that have their folder elsewhere. It doesn't fail: Unknown says what isn't known.
func ReadSessionStores(ctx context.Context, stateDir string, agentFolders ...string) *SessionStores {
	s := &SessionStores{stateDir: stateDir}
	var found []string
	if stateDir != "" {
		found, _ = filepath.Glob(filepath.Join(escapeGlob(stateDir), "agents", "*", "agent", sessiondb.FileName)) // The pattern is good.
	}
	for _, folder := range agentFolders {
		path := filepath.Join(folder, sessiondb.FileName)
		if _, err := os.Lstat(path); err == nil && !slices.Contains(found, path) {
			found = append(found, path)
		}
	}
	for _, path := range found {
		m, err := readSessionMap(ctx, path)
		s.paths, s.maps, s.err = append(s.paths, path), append(s.maps, m), errors.Join(s.err, err)
	}
	return s
}

func readSessionMap(ctx context.Context, path string) (m sessiondb.SessionMap, err error) {
	db, err := sessiondb.Open(ctx, path)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return db.SessionMap(ctx)
}

// Paths returns the databases that were found.
func (s *SessionStores) Paths() []string { return slices.Clone(s.paths) }

// Unknown says why it isn't known which sessions the host has of the agent of a session key; empty where
// it is known.
func (s *SessionStores) Unknown(key string) string {
	switch {
	case s.err != nil:
		return fmt.Sprintf("the host's database of sessions can't be read: %v", s.err)
	case len(s.paths) == 0:
		return "no database of the host's sessions (" + sessiondb.FileName + ") was found"
	}
	words := strings.SplitN(key, ":", 3)
	if len(words) < 3 || words[0] != "agent" || s.stateDir == "" || words[1] == "" || !filepath.IsLocal(words[1]) {
		return ""
	}
	folder := filepath.Join(s.stateDir, "agents", words[1])
	if _, err := os.Lstat(folder); err != nil || slices.Contains(s.paths, filepath.Join(folder, "agent", sessiondb.FileName)) {
		return ""
	}
	if slices.ContainsFunc(s.maps, func(m sessiondb.SessionMap) bool { return m.Agent == words[1] }) {
		return ""
	}
	return "the agent " + words[1] + " has no database of sessions (" + sessiondb.FileName + ")"
}

// Maps reports whether the host has a session under a key, now or as it is noted with the session.
func (s *SessionStores) Maps(key, session string) bool {
	return key != "" && session != "" && slices.ContainsFunc(s.maps, func(m sessiondb.SessionMap) bool { return m.Maps(key, session) })
}

// Knows returns which of some session keys and sessions stand in the host's databases, or in the turns
// that it has yet to hand to its memory.
func (s *SessionStores) Knows(names ...string) (known []string) {
	for _, name := range names {
		if slices.ContainsFunc(s.maps, func(m sessiondb.SessionMap) bool { return m.Knows(name) }) {
			known = append(known, name)
		}
	}
	return known
}

// KeysOf returns the keys under which the host has a session.
func (s *SessionStores) KeysOf(session string) (keys []string) {
	for _, m := range s.maps {
		keys = append(keys, m.Keys[session]...)
	}
	return keys
}

// Sessions returns the sessions that a key names now: one, where no agents contradict each other.
func (s *SessionStores) Sessions(key string) (sessions []string) {
	for _, m := range s.maps {
		if session, named := m.Current[key]; named && !slices.Contains(sessions, session) {
			sessions = append(sessions, session)
		}
	}
	return sessions
}
