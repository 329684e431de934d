package transcript_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data/transcript"
	"lcm-tui/internal/testdb"
)

// prompts returns the messages of all sessions of a history, and how many lines of them can't be read.
func prompts(t *testing.T, sessions []*transcript.File) (out []string, bad int) {
	t.Helper()
	for _, f := range sessions {
		for e, err := range f.Entries(t.Context()) {
			var line *transcript.LineError
			switch {
			case errors.As(err, &line):
				bad++
			case err != nil:
				t.Fatal(err)
			default:
				out = append(out, f.Session.ID+" "+e.Message.Field("content").Text())
			}
		}
	}
	return out, bad
}

// TestATornHistory: a history that is cut at any byte gives the prompts of its whole lines, and of the last one if it
// is whole but for its end.
func TestATornHistory(t *testing.T) {
	t.Parallel()
	lines := []string{
		`{"display":"one","pastedContents":{},"timestamp":1767603600000,"project":"/p","sessionId":"a"}`,
		`{"display":"zwei 数 \"x\"","pastedContents":{},"timestamp":1767603601000,"project":"/p","sessionId":"b"}`,
		`{"display":"three","pastedContents":{},"timestamp":1767603602000,"project":"/p","sessionId":"a"}`,
	}
	whole := strings.Join(lines, "\n") + "\n"
	path := filepath.Join(t.TempDir(), "history.jsonl")
	for cut := range len(whole) + 1 {
		testdb.WriteText(t, path, whole[:cut])
		sessions, err := transcript.Histories(t.Context(), path, transcript.ClaudeHistory)
		if err != nil {
			t.Fatal(err)
		}
		got, bad := prompts(t, sessions)
		want := 0
		for i := range lines {
			if end := len(strings.Join(lines[:i+1], "\n")); cut >= end {
				want++
			}
		}
		if len(got) != want || bad != 0 {
			t.Fatalf("cut at %d: %v, %d bad; want %d", cut, got, bad, want)
		}
	}
}

// TestARewrittenHistory: lines that stand elsewhere since the file was read are no prompts of the session.
func TestARewrittenHistory(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.jsonl")
	line := func(session, text string) string {
		return `{"display":"` + text + `","timestamp":1767603600000,"project":"/p","sessionId":"` + session + `"}` + "\n"
	}
	testdb.WriteText(t, path, line("a", "mine")+line("b", "yours"))
	sessions, err := transcript.Histories(t.Context(), path, transcript.ClaudeHistory)
	if err != nil || len(sessions) != 2 {
		t.Fatalf("%v, %v", sessions, err)
	}
	testdb.WriteText(t, path, line("b", "more")+line("b", "more of it"))
	if got, bad := prompts(t, sessions[:1]); len(got) != 0 || bad != 1 {
		t.Errorf("%v, %d bad", got, bad)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	for _, err := range sessions[0].Entries(t.Context()) {
		if !errors.Is(err, os.ErrNotExist) {
			t.Errorf("gone: %v", err)
		}
	}
}
