package sessiondb_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/sessiondb"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// events returns the events of a session as text, and what is wrong with those that can't be read.
func events(t testing.TB, db *sessiondb.DB, id string) (good []string, bad map[int64]string) {
	t.Helper()
	s, err := db.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	bad = map[int64]string{}
	for e, err := range db.Events(t.Context(), s) {
		var wrong *sessiondb.EventError
		switch {
		case errors.As(err, &wrong):
			bad[wrong.Seq] = wrong.Err.Error()
		case err != nil:
			t.Fatal(err)
		default:
			good = append(good, string(e.JSON))
		}
	}
	return good, bad
}

// many makes n events, some of which the host packs.
func many(n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf(`{"n":%d,"text":%q}`, i, strings.Repeat(fmt.Sprintf("word %d ", i), i%600)))
	}
	return out
}

func TestEventsComeInTheOrderOfTheirSeq(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	want := many(1500)
	for _, version := range []int{9, 16, 23} {
		path := testdb.AgentFile(t, version, testdb.AgentSession{Key: "k", ID: "a", At: 1, Events: want},
			testdb.AgentSession{Key: "l", ID: "b", At: 1, Events: []string{"{}"}})
		got, bad := events(t, open(t, path), "a")
		if diff := cmp.Diff(want, got); diff != "" || len(bad) > 0 {
			t.Errorf("version %d: %v -want +got\n%s", version, bad, diff)
		}
	}
}

// TestOnlyWhatWasThere: what the host appends after the session was looked up isn't read.
func TestOnlyWhatWasThere(t *testing.T) {
	t.Parallel()
	path := testdb.AgentFile(t, 19, testdb.AgentSession{Key: "k", ID: "a", At: 1, Events: []string{"{}", "{}"}})
	db := open(t, path)
	s, err := db.Session(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	testdb.ExecAgent(t, path, func(exec func(string, ...any)) {
		exec(`INSERT INTO transcript_events VALUES ('a', 2, '{}', 5)`)
	})
	n := 0
	for _, err := range db.Events(t.Context(), s) {
		if err != nil {
			t.Error(err)
		}
		n++
	}
	if n != 2 {
		t.Errorf("read %d events, want the 2 that were there", n)
	}
}

// TestRewritten: the host rewrites a transcript while it is read.
func TestRewritten(t *testing.T) {
	t.Parallel()
	path := testdb.AgentFile(t, 19, testdb.AgentSession{Key: "k", ID: "a", At: 1, Events: []string{"{}", "{}"}})
	db := open(t, path)
	s, err := db.Session(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	testdb.ExecAgent(t, path, func(exec func(string, ...any)) {
		exec(`INSERT INTO transcript_rewrite_watermarks VALUES ('a', 'new', 9)`)
	})
	var last error
	for _, err := range db.Events(t.Context(), s) {
		last = err
	}
	if !errors.Is(last, sessiondb.ErrRewritten) {
		t.Errorf("%v, want %v", last, sessiondb.ErrRewritten)
	}
}

func TestWhatCannotBeUnpackedCostsOnlyItself(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.AgentFile(t, 23, testdb.AgentSession{Key: "k", ID: "a", At: 1, Events: []string{`{"first":1}`}})
	good := `{"text":"` + strings.Repeat("packed ", 500) + `"}`
	bomb := testdb.Pack(strings.Repeat("\x00", 200<<20))
	flipped := testdb.Pack(good)
	flipped[len(flipped)/2] ^= 0x55
	testdb.ExecAgent(t, path, func(exec func(string, ...any)) {
		for seq, row := range map[int][3]any{
			1:  {nil, testdb.Pack(good), len(good)},
			2:  {nil, bomb, 4 << 20},
			3:  {nil, bomb, 200 << 20},
			4:  {nil, bomb, nil},
			5:  {nil, flipped, len(good)},
			6:  {nil, testdb.Pack(good)[:40], len(good)},
			7:  {nil, testdb.Pack(good), len(good) - 1},
			8:  {nil, testdb.Pack(good), len(good) + 1},
			9:  {nil, []byte("no frame of zstd"), 16},
			10: {nil, nil, nil},
			11: {nil, testdb.Pack(good), nil},
			12: {nil, testdb.Pack(good), -5},
		} {
			exec(`INSERT INTO transcript_events VALUES ('a', ?, ?, 5, ?, ?, NULL)`, seq, row[0], row[1], row[2])
		}
	})
	got, bad := events(t, open(t, path), "a")
	if diff := cmp.Diff([]string{`{"first":1}`, good, good}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for _, seq := range []int64{2, 3, 4, 5, 6, 7, 8, 9, 10, 12} {
		if bad[seq] == "" {
			t.Errorf("event %d was read", seq)
		}
	}
}

// TestTypesThatNoHostWrites: values of other types are read as far as they hold an event.
func TestTypesThatNoHostWrites(t *testing.T) {
	t.Parallel()
	path := testdb.AgentFile(t, 1)
	testdb.ExecAgent(t, path, func(exec func(string, ...any)) {
		exec(`CREATE TABLE transcript_events (session_id, seq, event_json, created_at)`)
		exec(`CREATE TABLE session_windows (session_id, session_key)`)
		exec(`INSERT INTO session_windows VALUES (7, 8), ('a', NULL)`)
		exec(`INSERT INTO transcript_events VALUES ('a', 0, CAST('{"n":0}' AS BLOB), 'yesterday'), ('a', 1, 17, -1), ('a', 2, '{"n":2}', 1.5), ('a', 3, NULL, NULL)`)
	})
	got, bad := events(t, open(t, path), "a")
	if diff := cmp.Diff([]string{`{"n":0}`, `{"n":2}`}, got); diff != "" || len(bad) != 2 {
		t.Errorf("bad %v; -want +got\n%s", bad, diff)
	}
}

// TestDamagedPages: of a file with damaged pages what can be read is read.
func TestDamagedPages(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	want := many(1200)
	whole := testdb.AgentFile(t, 19, testdb.AgentSession{Key: "k", ID: "a", At: 1, Events: want})
	testdb.ExecAgent(t, whole, func(exec func(string, ...any)) { exec("PRAGMA journal_mode = DELETE") })
	b, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	some := false
	for _, at := range []int{len(b) / 4, len(b) / 2, len(b) * 3 / 4, len(b) - page} {
		at -= at % page
		damaged := bytes.Clone(b)
		for i := range page {
			damaged[at+i] = 0xA7
		}
		path := testdb.AgentFile(t, 1)
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := sessiondb.Open(t.Context(), path)
		if err != nil {
			t.Errorf("page %d: %v", at/page, err)
			continue
		}
		got, bad := events(t, db, "a")
		if len(got)+len(bad) > len(want) || len(got) < len(want)*9/10 {
			t.Errorf("page %d: %d good and %d bad events of %d", at/page, len(got), len(bad), len(want))
		}
		some = some || len(got) < len(want)
		if len(got) < len(want) && len(db.Warnings()) == 0 {
			t.Errorf("page %d: nothing says that %d events are missing", at/page, len(want)-len(got))
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
	if !some {
		t.Error("the damage cost nothing: the test proves nothing")
	}
}
