package transcript_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/sessiondb"
	"lcm-tui/data/transcript"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
)

// BenchmarkEntriesOfDatabase reads a transcript of 32 MB, half of whose bytes are packed.
func BenchmarkEntriesOfDatabase(b *testing.B) {
	words := strings.Fields(strings.Repeat("the retry of ledger-sync took 8 seconds because auth-gateway answers late: see docs/runbook.md and ticket OPS-260 ", 3))
	r := rand.New(rand.NewPCG(1, 2))
	events, size := []string{header}, 0
	for size < 32<<20 {
		var text strings.Builder
		for n := r.IntN(400); n >= 0; n-- {
			fmt.Fprintf(&text, "%s %x ", words[r.IntN(len(words))], r.IntN(4096))
		}
		parent := ""
		if len(events) > 1 {
			parent = fmt.Sprintf("e%06d", len(events)-2)
		}
		e := claw(fmt.Sprintf("e%06d", len(events)-1), parent, text.String())
		events, size = append(events, e), size+len(e)
	}
	for _, version := range []int{19, 23} {
		path := testdb.AgentFile(b, version, testdb.AgentSession{Key: "k", ID: "s1", At: 1, Events: events})
		b.Run(fmt.Sprintf("version %d", version), func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				f, err := transcript.Open(b.Context(), transcript.Address(path, "s1"))
				if err != nil {
					b.Fatal(err)
				}
				n := 1
				for _, err := range f.Entries(b.Context()) {
					if err != nil {
						b.Fatal(err)
					}
					n++
				}
				if n != len(events) {
					b.Fatalf("%d events of %d", n, len(events))
				}
			}
		})
	}
}

// agent returns the path of a database with a chain of messages in a session.
func agent(t testing.TB, version int) string {
	t.Helper()
	return testdb.AgentFile(t, version, testdb.AgentSession{
		Key: "agent:main:main", ID: "s1", At: 1_767_603_600_000,
		Events: []string{header, claw("a", "", "1"), claw("b", "a", strings.Repeat("long ", 500)), claw("c", "b", "3")},
	}, testdb.AgentSession{Key: "agent:main:slack", ID: "s2", Previous: "s1", At: 1_767_603_700_000, Events: []string{header, claw("a", "", "other")}})
}

func TestSessionOfADatabase(t *testing.T) {
	t.Parallel()
	for _, version := range []int{9, 16, 23, 24} {
		path := agent(t, version)
		f, got := read(t, transcript.Address(path, "s1"))
		if want := []string{user("a", "1"), user("b", strings.Repeat("long ", 500)), user("c", "3")}; !cmp.Equal(want, got.Entries) || got.Bad != nil {
			t.Errorf("version %d: %v", version, got)
		}
		if f.Kind != transcript.OpenClaw || f.ModTime.UnixMilli() != 1_767_603_603_000 || f.Session.CWD != "/w" || !cmp.Equal([]string{"agent:main:main"}, f.Session.Keys) || !f.Session.Current {
			t.Errorf("version %d: %+v", version, f)
		}
	}
}

// TestDatabaseWithoutASession: the error of a database's own path names its sessions.
func TestDatabaseWithoutASession(t *testing.T) {
	t.Parallel()
	path := agent(t, 23)
	renamed := filepath.Join(t.TempDir(), "copy.db")
	b, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(renamed, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, renamed} {
		_, err := transcript.Open(t.Context(), p)
		if next := hint.Of(err); !strings.HasSuffix(next, ": "+p+"#s2, "+p+"#s1") {
			t.Errorf("%v", err)
		}
	}
	for address, want := range map[string]error{path + "#gone": sessiondb.ErrNoSession, path + "#": os.ErrNotExist} {
		if _, err := transcript.Open(t.Context(), address); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", address, err, want)
		}
	}
}

// TestDatabaseWithoutTranscripts: of the databases that aren't an agent's the error says so.
func TestDatabaseWithoutTranscripts(t *testing.T) {
	t.Parallel()
	lcm := testdb.Sample(t, fakehost.Head)
	if _, err := transcript.Open(t.Context(), lcm); !errors.Is(err, sessiondb.ErrNotAgent) || hint.Of(err) == "" {
		t.Errorf("an lcm.db: %v", err)
	}
	if _, err := transcript.Open(t.Context(), testdb.AgentFile(t, 1)); !errors.Is(err, sessiondb.ErrNoTranscripts) {
		t.Errorf("a transcript database of an older host: %v", err)
	}
}

// TestAddress: a file whose name has the character of an address is a file.
func TestAddress(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "a#b")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	odd, plain := filepath.Join(folder, "x#1.jsonl"), filepath.Join(folder, "x")
	for _, p := range []string{odd, plain} {
		if err := os.WriteFile(p, []byte(header+"\n"+claw("a", "", "1")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, got := read(t, odd); len(got.Entries) != 1 {
		t.Errorf("%v", got)
	}
	for address, want := range map[string][2]string{plain + "#s1": {plain, "s1"}, plain + "#s#1": {plain, "s#1"}, plain: {}, odd: {}, folder + "#s": {}} {
		path, session, ok := transcript.SplitAddress(address)
		if path != want[0] || session != want[1] || ok != (want[0] != "") {
			t.Errorf("%s: %q %q %v", address, path, session, ok)
		}
	}
}

// TestPackedEventThatIsBroken is a bad line, and costs only itself.
func TestPackedEventThatIsBroken(t *testing.T) {
	t.Parallel()
	path := agent(t, 23)
	testdb.ExecAgent(t, path, func(exec func(string, ...any)) {
		exec(`UPDATE transcript_events SET event_zstd = x'28b52ffd00' WHERE session_id = 's1' AND seq = 2`)
		exec(`UPDATE transcript_events SET event_json = '{"type":"mess' WHERE session_id = 's2' AND seq = 1`)
	})
	_, got := read(t, transcript.Address(path, "s1"))
	if diff := cmp.Diff(reading{Entries: []string{user("a", "1"), user("c", "3")}, Bad: []int64{3}}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	_, got = read(t, transcript.Address(path, "s2"))
	if diff := cmp.Diff(reading{Bad: []int64{2}}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestPackedSessionFile: what the host archived in a frame of zstd is read as it is.
func TestPackedSessionFile(t *testing.T) {
	t.Parallel()
	text := strings.Join([]string{header, claw("a", "", "1"), claw("b", "a", "2")}, "\n") + "\n"
	write := func(b []byte) string {
		path := filepath.Join(t.TempDir(), "s1.jsonl.deleted.2026-01-05T09-00-00.000Z.0123.zst")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	packed := testdb.Pack(text)
	f, got := read(t, write(packed))
	if len(got.Entries) != 2 || f.Size != int64(len(text)) || f.Session.ID != "s1" {
		t.Errorf("%v of %d bytes", got, f.Size)
	}
	for name, b := range map[string][]byte{"cut off": packed[:len(packed)-9], "garbled": append(bytes.Clone(packed[:20]), bytes.Repeat([]byte{7}, 99)...)} {
		if _, err := transcript.Open(t.Context(), write(b)); err == nil {
			t.Errorf("%s: opened", name)
		}
	}
}

// TestArchiveOfTheHost: the archive of a session that was deleted is the same in the file and in
// the database.
func TestArchiveOfTheHost(t *testing.T) {
	t.Parallel()
	database := testdb.Fixture(t, filepath.Join("v1.0", "state-rich", "agents", "main", "agent", sessiondb.FileName))
	for _, path := range testdb.FixtureFiles(t, "v1.0/state-rich/agents/main/sessions/*.zst") {
		f, got := read(t, path)
		if f.Session.ID != "99999999-0000-4000-8000-000000000003" || len(got.Entries) == 0 || len(got.Bad) > 0 {
			t.Errorf("%s: %v", f.Session.ID, got)
		}
		stored, same := read(t, transcript.Address(database, filepath.Base(path)))
		if diff := cmp.Diff(got, same); diff != "" || stored.Size != f.Size || stored.Session.ID != f.Session.ID || stored.Kind != transcript.OpenClaw {
			t.Errorf("%+v of the database, %+v of the file; -file +database\n%s", stored, f, diff)
		}
	}
	if _, err := transcript.Open(t.Context(), transcript.Address(database, "x.jsonl.deleted.y")); !errors.Is(err, sessiondb.ErrNoArchive) {
		t.Errorf("%v, want %v", err, sessiondb.ErrNoArchive)
	}
}

// TestSessionsAreOpened: the list of a database's sessions has what opening each of them gives.
func TestSessionsAreOpened(t *testing.T) {
	t.Parallel()
	path := agent(t, 23)
	listed, err := transcript.Sessions(t.Context(), path)
	if err != nil || len(listed) < 2 {
		t.Fatal(len(listed), err)
	}
	for _, f := range listed {
		opened, err := transcript.Open(t.Context(), f.Path)
		if err != nil {
			t.Fatal(err)
		}
		if f.Kind != opened.Kind || f.Size != opened.Size || !f.ModTime.Equal(opened.ModTime) || f.Session.ID != opened.Session.ID ||
			!slices.Equal(f.Session.Keys, opened.Session.Keys) || f.Session.Current != opened.Session.Current {
			t.Errorf("listed %+v, opened %+v", f, opened)
		}
		if got, want := countEntries(t, f), countEntries(t, opened); got != want {
			t.Errorf("%s: %d entries listed, %d opened", f.Path, got, want)
		}
	}
}

func countEntries(t *testing.T, f *transcript.File) (n int) {
	t.Helper()
	for _, err := range f.Entries(t.Context()) {
		if err != nil {
			t.Error(err)
		}
		n++
	}
	return n
}

// TestKeepOpen: a database that stays open is read in the same way, also from within a reading
// of another one, and is closed at the end without a trace.
func TestKeepOpen(t *testing.T) {
	t.Parallel()
	path, other := agent(t, 23), agent(t, 19)
	ctx, done := transcript.KeepOpen(t.Context())
	for range 2 {
		f, err := transcript.Open(ctx, transcript.Address(path, "s1"))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, err := range f.Entries(ctx) {
			if err != nil {
				t.Fatal(err)
			}
			n++
			if _, err := transcript.Open(ctx, transcript.Address(other, "s2")); err != nil {
				t.Fatal(err)
			}
		}
		if n != 3 {
			t.Errorf("%d entries", n)
		}
	}
	if _, err := transcript.Open(ctx, transcript.Address(path, "none")); !errors.Is(err, sessiondb.ErrNoSession) {
		t.Error(err)
	}
	if err := done(); err != nil {
		t.Error(err)
	}
	for _, p := range []string{path, other} {
		if _, err := os.Stat(p + "-wal"); err == nil {
			t.Error(p, "has a -wal")
		}
	}
}
