package sessiondb_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/sessiondb"
	"lcm-tui/internal/testdb"
)

// open opens a database that is closed after the test.
func open(t testing.TB, path string) *sessiondb.DB {
	t.Helper()
	db, err := sessiondb.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// listed is a session in short.
type listed struct {
	ID, Keys, Previous string
	Current            bool
	Events, Bytes      int64
	LastSeq, Newest    int64
}

func list(t testing.TB, db *sessiondb.DB) (out []listed) {
	t.Helper()
	all, err := db.Sessions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		out = append(out, listed{s.ID, strings.Join(s.Keys, " "), s.Previous, s.Current, s.Events, s.Bytes, s.LastSeq, s.Newest.UnixMilli()})
	}
	return out
}

func TestSessionsOfBothLayouts(t *testing.T) {
	t.Parallel()
	long := `{"type":"message","text":"` + strings.Repeat("long ", 999) + `"}`
	first := testdb.AgentSession{Key: "agent:main:main", ID: "a", At: 10_000, Events: []string{`{"n":1}`, long}}
	second := testdb.AgentSession{Key: "agent:main:main", ID: "b", Previous: "a", At: 50_000, Events: []string{`{"n":1}`}}
	for _, version := range []int{9, 16, 19, 23, 99} {
		want := []listed{
			{"b", "agent:main:main", "a", true, 1, 8, 0, 50_000},
			{"a", "agent:main:main", "", false, 2, int64(len(long)) + 9, 1, 11_000},
		}
		if version < 14 {
			want[0].Previous = ""
		}
		db := open(t, testdb.AgentFile(t, version, first, second))
		if diff := cmp.Diff(want, list(t, db)); diff != "" {
			t.Errorf("version %d: -want +got\n%s", version, diff)
		}
		if warned := len(db.Warnings()) > 0; warned != (version > 23) {
			t.Errorf("version %d: warnings %v", version, db.Warnings())
		}
	}
}

// TestSessionsOfTheHost: what files of real hosts hold.
func TestSessionsOfTheHost(t *testing.T) {
	t.Parallel()
	fixture := func(state, agent string) *sessiondb.DB {
		return open(t, testdb.Fixture(t, filepath.Join("v1.0", state, "agents", agent, "agent", sessiondb.FileName)))
	}
	small := []listed{
		{"11111111-0000-4000-8000-000000000002", "agent:main:telegram:dm:4242", "", true, 37, 24441, 36, 0},
		{"11111111-0000-4000-8000-000000000001", "agent:main:main", "", true, 121, 86108, 120, 0},
	}
	for _, state := range []string{"state-small-schema9", "state-small-schema19", "state-small"} {
		got := list(t, fixture(state, "main"))
		for i := range got {
			got[i].Newest = 0
		}
		if small[1].Bytes = 86108; state != "state-small" {
			small[1].Bytes = 86018 // These hosts wrote fewer members.
		}
		if diff := cmp.Diff(small, got); diff != "" {
			t.Errorf("%s: the sizes are those of the session files; -want +got\n%s", state, diff)
		}
	}
	sessions, err := fixture("state-rich", "main").Sessions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	previous := map[string]string{}
	for _, s := range sessions {
		if s.Previous != "" {
			previous[s.ID] = s.Previous
		}
		if s.ID == "77777777-0000-4000-8000-000000000007" && s.Current {
			t.Error("a key that names another session since counts as one that names this session")
		}
	}
	if diff := cmp.Diff(map[string]string{"99999999-0000-4000-8000-000000000002": "99999999-0000-4000-8000-000000000001"}, previous); diff != "" || len(sessions) != 12 {
		t.Errorf("%d sessions; -want +got\n%s", len(sessions), diff)
	}
}

func TestSignIns(t *testing.T) {
	t.Parallel()
	path := testdb.AgentFile(t, 19)
	got, err := open(t, path).SignIns(t.Context())
	if err != nil || got != (sessiondb.SignIns{}) {
		t.Errorf("an agent without sign-ins: %+v, %v", got, err)
	}
	testdb.ExecAgent(t, path, func(exec func(string, ...any)) {
		exec(`INSERT INTO auth_profile_store VALUES ('primary', '{"version":1,"profiles":{}}', 5000), ('other', '{}', 9000)`)
		exec(`INSERT INTO auth_profile_state VALUES ('primary', '{"order":{}}', 7000)`)
	})
	got, err = open(t, path).SignIns(t.Context())
	if err != nil || got.Profiles != `{"version":1,"profiles":{}}` || got.State != `{"order":{}}` || got.Changed.UnixMilli() != 7000 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestSessionsThatOnlyTheEventsName: where a newer host keeps sessions in other tables, the
// sessions are those of the events, and one that was rewritten earlier is read to its end.
func TestSessionsThatOnlyTheEventsName(t *testing.T) {
	t.Parallel()
	path := testdb.AgentFile(t, 99, testdb.AgentSession{Key: "agent:main:main", ID: "a", At: 10_000, Events: []string{`{"n":1}`, `{"n":2}`}})
	testdb.ExecAgent(t, path, func(exec func(string, ...any)) {
		exec("CREATE TABLE IF NOT EXISTS transcript_rewrite_watermarks (session_id TEXT PRIMARY KEY, generation TEXT, updated_at INTEGER)")
		exec("INSERT INTO transcript_rewrite_watermarks (session_id, generation, updated_at) VALUES ('a', 'g1', 9)")
		exec("DROP TABLE session_windows")
		exec("DROP TABLE session_nodes")
	})
	db := open(t, path)
	s, err := db.Session(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	if s.Rewrite != "g1" {
		t.Errorf("the rewrite is %q", s.Rewrite)
	}
	n := 0
	for _, err := range db.Events(t.Context(), s) {
		if err != nil {
			t.Error(err)
		}
		n++
	}
	if n != 2 {
		t.Errorf("%d events", n)
	}
}

// TestTranscriptsOfAnUnknownLayout: a file that keeps its events under other names isn't called
// one without transcripts.
func TestTranscriptsOfAnUnknownLayout(t *testing.T) {
	t.Parallel()
	for _, statement := range []string{"ALTER TABLE transcript_events RENAME TO events", "ALTER TABLE transcript_events RENAME COLUMN event_json TO event"} {
		path := testdb.AgentFile(t, 99)
		testdb.ExecAgent(t, path, func(exec func(string, ...any)) { exec(statement) })
		if _, err := open(t, path).Sessions(t.Context()); !errors.Is(err, sessiondb.ErrUnknownLayout) {
			t.Errorf("%s: %v", statement, err)
		}
	}
}
