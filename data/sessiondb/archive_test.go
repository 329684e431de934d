package sessiondb_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"lcm-tui/data/sessiondb"
	"lcm-tui/internal/testdb"
)

// TestArchives: of a deleted session the host keeps the transcript in one frame of zstd, and of
// small ones as it is.
func TestArchives(t *testing.T) {
	t.Parallel()
	const text = `{"type":"session","id":"gone"}` + "\n"
	path := testdb.AgentFile(t, 23)
	testdb.ExecAgent(t, path, func(exec func(string, ...any)) {
		for name, row := range map[string][2]any{
			"gone.jsonl.deleted.2026-09-30T01-10-00.241Z.7104a1b2db134f7bb03c010ca836af18.zst": {"zstd", testdb.Pack(text)},
			"gone.jsonl.reset.2026-09-29T01-10-00.241Z.7104a1b2db134f7bb03c010ca836af19":       {"identity", []byte(text)},
		} {
			exec(`INSERT INTO session_transcript_archives VALUES ('gone', ?, 'agent:main:x', CASE WHEN ? = 'zstd' THEN 'deleted' ELSE 'reset' END, ?, ?, '', ?, CASE WHEN ? = 'zstd' THEN 2000 ELSE 1000 END, NULL)`,
				name, row[0], row[0], row[1], name, row[0])
		}
	})
	db := open(t, path)
	all, err := db.Archives(t.Context())
	if err != nil || len(all) != 2 || !strings.Contains(all[0].Name, ".deleted.") || all[0].Created.UnixMilli() != 2000 || all[0].Key != "agent:main:x" {
		t.Fatalf("%v, %v", all, err)
	}
	for _, a := range all {
		r, err := db.OpenArchive(t.Context(), a.Name)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err = errors.Join(err, r.Close()); err != nil || string(b) != text {
			t.Errorf("%s: %q, %v", a.Name, b, err)
		}
	}
	if _, err := db.OpenArchive(t.Context(), "none"); !errors.Is(err, sessiondb.ErrNoArchive) {
		t.Errorf("%v, want %v", err, sessiondb.ErrNoArchive)
	}
	if all, err := open(t, testdb.AgentFile(t, 9)).Archives(t.Context()); err != nil || len(all) > 0 {
		t.Errorf("a host without archives: %v, %v", all, err)
	}
}

// TestColdSession: the events of a session that was quiet for long lie in a file, or as one
// value in the database, with other records; they are read from there.
func TestColdSession(t *testing.T) {
	t.Parallel()
	record := func(seq int, event string) string {
		return `{"kind":"event","row":{"seq":` + strconv.Itoa(seq) + `,"event_json":` + strconv.Quote(event) + `,"created_at":5000}}` + "\n"
	}
	text := `{"kind":"header","version":1,"sessionId":"a","generation":"g"}` + "\n" + record(0, `{"n":0}`) + record(2, `{"n":2}`) +
		`{"kind":"identity","row":{"event_id":"x","seq":0,"event_type":null,"parent_id":null,"message_idempotency_key":null,"created_at":1}}` + "\n"
	packed := testdb.Pack(text)
	sum := sha256.Sum256(packed)
	name := hex.EncodeToString(sum[:]) + ".jsonl.zst"
	for _, storage := range []string{"file", "sqlite", "missing", "another"} {
		path := testdb.AgentFile(t, 23, testdb.AgentSession{Key: "k", ID: "a", At: 4000})
		cold := filepath.Join(filepath.Dir(filepath.Dir(path)), "sessions", "cold")
		content := packed
		if storage == "another" {
			content = testdb.Pack("{}")
		}
		if err := os.MkdirAll(cold, 0o700); err != nil {
			t.Fatal(err)
		}
		if storage == "file" || storage == "another" {
			if err := os.WriteFile(filepath.Join(cold, name), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		testdb.ExecAgent(t, path, func(exec func(string, ...any)) {
			where, blob := "file", []byte(nil)
			if storage == "sqlite" {
				where, blob = storage, packed
			}
			exec(`INSERT INTO session_transcript_cold_archives VALUES ('a', 'g', ?, ?, 2, 15, ?, 2, 9000, ?, ?)`, name, hex.EncodeToString(sum[:]), len(packed), where, blob)
		})
		db := open(t, path)
		s, err := db.Session(t.Context(), "a")
		if err != nil || !s.Cold() || s.Events != 2 || s.Bytes != 16 || s.LastSeq != 2 {
			t.Fatalf("%s: %+v, %v", storage, s, err)
		}
		var got []string
		err = nil
		for e, wrong := range db.Events(t.Context(), s) {
			if err = wrong; err == nil {
				got = append(got, string(e.JSON))
			}
		}
		if fails := storage == "missing" || storage == "another"; fails != (err != nil) || !fails && strings.Join(got, " ") != `{"n":0} {"n":2}` {
			t.Errorf("%s: %v, %v", storage, got, err)
		}
	}
}
