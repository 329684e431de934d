package sessiontexts_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/sessiontexts"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// agent returns a copy of the database of an agent that a host of schema 23 wrote, with an archive beside it.
func agent(t *testing.T) (path string) {
	t.Helper()
	state := t.TempDir()
	if err := os.CopyFS(state, os.DirFS(filepath.Join(testdb.Fixtures(t), "v1.0/state-rich"))); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(state, func(path string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Chmod(path, 0o700))
	})
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(state, "agents", "main", "agent", "openclaw-agent.sqlite")
}

// texts returns all texts of a database.
func texts(t *testing.T, path string) (out []string) {
	t.Helper()
	err := sessiontexts.Visit(t.Context(), path, func(p sessiontexts.Place, text string) error {
		out = append(out, p.String()+" "+text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestEveryTextIsReplaced: as many texts as before, each with the new word; the file of an archive is that of its row.
func TestEveryTextIsReplaced(t *testing.T) {
	t.Parallel()
	path := agent(t)
	before := texts(t, path)
	s, err := sessiontexts.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.Replace(t.Context(), func(text string) string { return strings.ReplaceAll(text, "replica", "secondary") })
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, text := range before {
		if strings.Contains(text, "replica") {
			n++
		}
	}
	if n < 100 || out.Texts != n {
		t.Errorf("%d texts were replaced, want %d", out.Texts, n)
	}
	want := strings.Split(strings.ReplaceAll(strings.Join(before, "\x00"), "replica", "secondary"), "\x00")
	if is := texts(t, path); !slices.Equal(is, want) {
		t.Errorf("%d texts are there, of %d, and not as they should be", len(is), len(want))
	}
	for _, query := range []string{
		"SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
		"SELECT count(*) FROM session_transcript_fts WHERE session_transcript_fts MATCH 'replica'",
		"SELECT count(*) FROM transcript_events WHERE event_json IS NOT NULL AND event_utf8_bytes <> octet_length(event_json)",
	} {
		if is := testdb.Rows(t, path, query); is[0] != "0" {
			t.Errorf("%s: %s", query, is[0])
		}
	}
}

// TestArchivesAndTheirFiles: both hold the same bytes afterwards; a file that is another one is left.
func TestArchivesAndTheirFiles(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, same := range []bool{true, false} {
		path := agent(t)
		name := strings.Trim(testdb.Rows(t, path, "SELECT archive_name FROM session_transcript_archives")[0], `"`)
		file := filepath.Join(filepath.Dir(filepath.Dir(path)), "sessions", name)
		if !same {
			testdb.WriteText(t, file, "another one")
		}
		s, err := sessiontexts.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		out, err := s.Replace(t.Context(), func(text string) string { return strings.ReplaceAll(text, `"role":"user"`, `"role":"system"`) })
		if err := errors.Join(err, s.Close()); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(b)
		if is := testdb.Rows(t, path, "SELECT count(*) FROM session_transcript_archives WHERE archive_sha256 = '"+hex.EncodeToString(sum[:])+"'"); (is[0] == "1") != same {
			t.Errorf("same %t: %s rows have the bytes of the file", same, is[0])
		}
		if rewritten := slices.Equal(out.Files, []string{file}); rewritten != same || !same && string(b) != "another one" {
			t.Errorf("same %t: rewritten are %q", same, out.Files)
		}
	}
}

// TestWhatBreaksJSONIsNotWritten, and nothing else with it.
func TestWhatBreaksJSONIsNotWritten(t *testing.T) {
	t.Parallel()
	path := agent(t)
	before := texts(t, path)
	s, err := sessiontexts.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Replace(t.Context(), func(text string) string { return strings.Replace(text, `"`, "", 1) })
	if closed := s.Close(); err == nil || closed != nil {
		t.Errorf("%v, %v", err, closed)
	}
	if !slices.Equal(texts(t, path), before) {
		t.Error("something was written")
	}
}

// TestOpenedTwice: while it is open, nobody else gets it.
func TestOpenedTwice(t *testing.T) {
	t.Parallel()
	path := agent(t)
	s, err := sessiontexts.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := sessiontexts.Open(t.Context(), path); !errors.Is(err, data.ErrInUse) {
		t.Errorf("%v", err)
	}
}
