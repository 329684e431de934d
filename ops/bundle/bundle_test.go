package bundle_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/bundle"
)

func noReport(int, int, string) {}

// made returns a bundle and the path of its zip file.
func made(t *testing.T, db *data.DB, r bundle.Request) (*bundle.Bundle, string) {
	t.Helper()
	b, err := bundle.Make(t.Context(), db, r, noReport)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	to := filepath.Join(t.TempDir(), "report.zip")
	if _, err := b.Write(t.Context(), to, nil); err != nil {
		t.Fatal(err)
	}
	return b, to
}

// contents returns the files of a zip file.
func contents(t *testing.T, path string) map[string]string {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	out := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		out[f.Name] = string(b)
	}
	return out
}

// window is the length in bytes of the pieces of stored texts that a bundle must not have.
const window = 12

// leastNoise is how much of a piece is replaced at least, in bits, so that it isn't in a bundle by chance: its other characters stay.
const leastNoise = 30

// noiseOf returns how many bits are replaced in a text.
func noiseOf(text string) (bits float64) {
	for _, r := range text {
		switch {
		case r == utf8.RuneError:
		case r >= 0x800:
			bits += 8
		case r >= 0x80:
			bits += 4.4
		case unicode.IsLetter(r):
			bits += 4.7
		case unicode.IsDigit(r):
			bits += 3.3
		}
	}
	return bits
}

// windows are all pieces of a text.
func windows(into map[string]bool, text string) {
	for i := 0; i+window <= len(text); i++ {
		into[text[i:i+window]] = true
	}
}

// TestNoStoredTextIsInABundle: no twelve bytes of any stored text are in the bundle, but those that
// the schema, the words of the program and the ids of the format have anyway.
func TestNoStoredTextIsInABundle(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Fixture(t, "v0.15.3/rich.db")
	db := testdb.Open(t, path)
	logs := t.TempDir()
	spoken := testdb.Rows(t, path, "SELECT content FROM messages WHERE length(content) > 40 ORDER BY message_id LIMIT 1")[0]
	line := `{"time":"2026-01-05T09:00:00.000Z","msg":"[lcm] afterTurn failed for agent:main:main in /home/someone/.openclaw/lcm.db: \"` + spoken + `\" took 12ms"}` + "\nnot about it\n"
	if err := os.WriteFile(filepath.Join(logs, "openclaw-2026-01-05.log"), []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	_, to := made(t, db, bundle.Request{Version: "1", LogFolder: logs, Structure: 2})
	files := contents(t, to)
	if len(files) != 12 {
		t.Errorf("%d files", len(files))
	}
	if !strings.Contains(files["log.txt"], `2026-01-05T09:00:00 [lcm] afterTurn failed for [redacted-session-key:`) || strings.Count(files["log.txt"], "\n") != 1 {
		t.Errorf("the log: %s", files["log.txt"])
	}
	have := map[string]bool{}
	for name, text := range files {
		if name == "structure.db" {
			text = strings.Join(testdb.Rows(t, saved(t, text), `SELECT content FROM messages UNION ALL SELECT text_content FROM message_parts
				UNION ALL SELECT value FROM message_parts, json_tree(tool_input) WHERE type = 'text'
				UNION ALL SELECT value FROM message_parts, json_tree(tool_output) WHERE type = 'text' UNION ALL SELECT content FROM summaries
				UNION ALL SELECT exploration_summary FROM large_files UNION ALL SELECT file_name FROM large_files UNION ALL SELECT storage_uri FROM large_files`), "\x00")
		}
		windows(have, text)
	}
	words := map[string]bool{} // Of the schema and of the program itself.
	windows(words, files["schema.sql"]+files["README.txt"]+files["config.json"])
	bad := 0
	for _, cell := range testdb.Rows(t, path, `SELECT content FROM messages UNION ALL SELECT text_content FROM message_parts UNION ALL SELECT tool_input FROM message_parts
		UNION ALL SELECT tool_output FROM message_parts UNION ALL SELECT tool_call_id FROM message_parts UNION ALL SELECT metadata FROM message_parts
		UNION ALL SELECT content FROM summaries UNION ALL SELECT title FROM conversations UNION ALL SELECT session_key FROM conversations
		UNION ALL SELECT exploration_summary FROM large_files UNION ALL SELECT file_name FROM large_files UNION ALL SELECT storage_uri FROM large_files
		UNION ALL SELECT prompt FROM focus_briefs UNION ALL SELECT content FROM focus_briefs`) {
		for i := 0; i+window <= len(cell); i++ {
			if piece := cell[i : i+window]; have[piece] && !words[piece] && noiseOf(piece) >= leastNoise && bad < 10 {
				bad++
				t.Errorf("%q of a stored text is in the bundle", piece)
			}
		}
	}
	home, _ := os.UserHomeDir()
	for name, text := range files {
		for _, p := range []string{home + "/", "/home/", filepath.Dir(path)} {
			if strings.Contains(text, p) {
				t.Errorf("%s has the path %s", name, p)
			}
		}
	}
}

// saved returns the path of a file with this content.
func saved(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "structure.db")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestStructureKeepsTheShape: the copy with made-up texts has the same rows, lengths and counts.
func TestStructureKeepsTheShape(t *testing.T) {
	t.Parallel()
	path := testdb.Fixture(t, "v0.15.3/small.db")
	_, to := made(t, testdb.Open(t, path), bundle.Request{Version: "1", Structure: 1})
	copied := saved(t, contents(t, to)["structure.db"])
	for _, q := range []string{
		"SELECT message_id, seq, role, length(CAST(content AS BLOB)), token_count, created_at FROM messages WHERE conversation_id = 1 ORDER BY 1",
		"SELECT p.message_id, ordinal, part_type, length(CAST(text_content AS BLOB)), length(CAST(tool_input AS BLOB)), json_type(metadata) FROM message_parts p JOIN messages m USING (message_id) WHERE conversation_id = 1 ORDER BY 1, 2",
		"SELECT count(DISTINCT tool_call_id), count(tool_call_id) FROM message_parts p JOIN messages m USING (message_id) WHERE conversation_id = 1",
		"SELECT count(*), count(DISTINCT content), sum(token_count) FROM messages WHERE conversation_id = 1",
		"SELECT count(*) FROM summaries s JOIN summary_messages USING (summary_id) WHERE conversation_id = 1",
		"SELECT count(*) FROM context_items i LEFT JOIN summaries s USING (summary_id) WHERE i.conversation_id = 1 AND (i.summary_id IS NULL OR s.summary_id IS NOT NULL)",
	} {
		want, got := testdb.Rows(t, path, q), testdb.Rows(t, copied, q)
		if strings.Join(want, "\n") != strings.Join(got, "\n") {
			t.Errorf("%s\nwant %.300s\ngot  %.300s", q, strings.Join(want, "\n"), strings.Join(got, "\n"))
		}
	}
}

// TestASecretStopsTheBundle: what looks like a secret in a file of the bundle keeps it from being
// written.
func TestASecretStopsTheBundle(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, fakehost.V0_15)
	if err == nil {
		err = errors.Join(h.Exec(`ALTER TABLE conversations ADD COLUMN x TEXT DEFAULT 'postgres://admin`+":"+`Zk3-pQ9v_tY7wX2@db.internal/ledger'`), h.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Make(t.Context(), testdb.Open(t, path), bundle.Request{Version: "1"}, noReport)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	to := filepath.Join(t.TempDir(), "report.zip")
	if _, err := b.Write(t.Context(), to, nil); err == nil || !strings.Contains(err.Error(), "of schema.sql looks like a secret") || strings.Contains(err.Error(), "Zk3-pQ9v") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(to); err == nil {
		t.Error("the bundle was written")
	}
	r, err := b.Open("README.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if text, err := io.ReadAll(r); err != nil || !bytes.Contains(text, []byte("timeline.json")) {
		t.Errorf("README: %s %v", text, err)
	}
	if _, err := b.Open("../lcm.db"); err == nil {
		t.Error("a file outside of the bundle was opened")
	}
}

// TestOtherProgramsHaveNoNames: tables, indexes, views and triggers of other programs are counted, and
// causes of an archive that no host notes are made up.
func TestOtherProgramsHaveNoNames(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, level := range []fakehost.Level{fakehost.Head, fakehost.Beta} {
		path := testdb.Sample(t, level)
		clean := testdb.Copy(t, path)
		if err := faults.Alter(path, `CREATE TABLE secretive_patients (id INTEGER, name TEXT UNIQUE); CREATE INDEX secretive_index ON messages (role);
			CREATE TRIGGER secretive_trigger AFTER DELETE ON messages BEGIN SELECT 1; END; CREATE VIEW secretive_view AS SELECT 1;
			UPDATE conversations SET archive_cause = 'secretive-reason'`); err != nil {
			t.Fatal(err)
		}
		_, to := made(t, testdb.Open(t, path), bundle.Request{Version: "1", Structure: 1})
		for name, text := range contents(t, to) {
			if name == "structure.db" { // Its tables are those of the file.
				text = strings.ReplaceAll(text, "secretive_", "")
			}
			if strings.Contains(text, "secretive") {
				t.Errorf("%s: %s has a name of another program", level, name)
			}
			if name == "schema.sql" && !strings.Contains(text, "of other programs: trigger 1") {
				t.Errorf("%s: the trigger isn't counted: %s", level, text)
			}
		}
		_, to = made(t, testdb.Open(t, clean), bundle.Request{Version: "1"})
		for name, text := range contents(t, to) {
			if strings.Contains(text, "other_1") || strings.Contains(text, "of other programs") {
				t.Errorf("%s: %s takes tables of the host for others: %s", level, name, text[max(0, len(text)-200):])
			}
		}
	}
}

// TestErrorsInLogsSayNothing: after a word of failure only numbers, replacements and words of the format stay.
func TestErrorsInLogsSayNothing(t *testing.T) {
	t.Parallel()
	db, logs := testdb.Open(t, testdb.Sample(t, fakehost.Head)), t.TempDir()
	text := `2026-01-05T09:00:00 [lcm] compaction failed for conversation 12: cannot discuss divorce papers of Alice after 30ms
2026-01-05T09:00:01 [lcm] sweep error=divorce papers code=500
2026-01-05T09:00:02 [lcm] leaf pass took 12ms
`
	if err := os.WriteFile(filepath.Join(logs, "a.log"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, to := made(t, db, bundle.Request{Version: "1", LogFolder: logs})
	want := "2026-01-05T09:00:00 [lcm] compaction failed for conversation 12: … of … after 30ms\n" +
		"2026-01-05T09:00:01 [lcm] sweep error … code=500\n2026-01-05T09:00:02 [lcm] leaf pass took 12ms\n"
	if got := contents(t, to)["log.txt"]; got != want {
		t.Errorf("the log is\n%s", got)
	}
}
