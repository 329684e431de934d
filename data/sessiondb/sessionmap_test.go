package sessiondb_test

import (
	"slices"
	"testing"

	"lcm-tui/data/sessiondb"
	"lcm-tui/internal/testdb"
)

// TestSessionMap: of all layouts, a session is known by its key, by the key noted with it, and by a turn
// that is owed.
func TestSessionMap(t *testing.T) {
	t.Parallel()
	for _, version := range []int{9, 19, 23} {
		path := testdb.AgentFile(t, version,
			testdb.AgentSession{Key: "agent:main:main", ID: "first", Events: []string{"{}"}, At: 1_000},
			testdb.AgentSession{Key: "agent:main:main", ID: "second", Previous: "first", Events: []string{"{}"}, At: 9_000})
		testdb.ExecAgent(t, path, func(exec func(query string, args ...any)) {
			exec("CREATE TABLE context_engine_turn_outbox (advancement_key TEXT PRIMARY KEY, session_id TEXT NOT NULL)")
			exec("INSERT INTO context_engine_turn_outbox VALUES ('turn', 'owed')")
		})
		db, err := sessiondb.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		m, err := db.SessionMap(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if m.Agent != "main" || m.Current["agent:main:main"] != "second" || !m.Maps("agent:main:main", "first") || m.Maps("agent:main:main", "owed") {
			t.Errorf("version %d: %+v", version, m)
		}
		known := slices.DeleteFunc([]string{"agent:main:main", "first", "second", "owed", "third", ""}, func(name string) bool { return !m.Knows(name) })
		if !slices.Equal(known, []string{"agent:main:main", "first", "second", "owed"}) {
			t.Errorf("version %d: known are %q", version, known)
		}
	}
}

// TestSessionMapOfOldHosts: a database that keeps no sessions doesn't answer "none".
func TestSessionMapOfOldHosts(t *testing.T) {
	t.Parallel()
	db, err := sessiondb.Open(t.Context(), testdb.AgentFile(t, 1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if _, err := db.SessionMap(t.Context()); err == nil {
		t.Error("a host that keeps sessions elsewhere is taken for one that has none")
	}
}
