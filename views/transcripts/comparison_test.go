package transcripts

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/engine/compare"
	"lcm-tui/internal/fakehost"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// TestTranscriptBesideTheContext: what Codex wrote stands beside what the context holds.
func TestTranscriptBesideTheContext(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	err = h.Tx(func(h *fakehost.Writer) error {
		conv, err := h.Conversation(fakehost.Conversation{SessionID: "0c0de", SessionKey: "agent:main:codex", Active: true, At: viewtest.DemoNow})
		for _, text := range []string{"Where is the ledger?", "In Postgres.", "Only here."} {
			if err == nil {
				_, err = h.Message(conv, fakehost.Message{Role: "user", Content: text, At: viewtest.DemoNow})
			}
		}
		return err
	})
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	const lines = `{"timestamp":"2026-03-01T08:00:00.000Z","type":"session_meta","payload":{"id":"0c0de","timestamp":"2026-03-01T07:59:59.000Z","cwd":"/w"}}
{"timestamp":"2026-03-01T08:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Where is the ledger?"}]}}
{"timestamp":"2026-03-01T08:00:02.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"In Postgres."}]}}
{"timestamp":"2026-03-01T08:00:03.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Since when?"}]}}
`
	if err := os.WriteFile(filepath.Join(folder, "rollout-2026-03-01T08-00-00-0c0de.jsonl"), []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	d := viewtest.DriveFile(t, path)
	d.Env.Sessions = []string{folder}
	d.Open(1, views.TabContext)
	d.Press("x")
	d.Sees("transcript", "2 entries stored, 1 missing", "Where is the ledger?", "0 #1", "! not stored", "+ 2 #3")
	at := func(want compare.Place) {
		t.Helper()
		if r, ok := d.App.Top().(*Comparison).List.Selected(); !ok || r.Place != want {
			t.Errorf("the cursor is on %+v", r)
		}
	}
	d.Press("!")
	at(compare.Missing)
	d.Press("!")
	at(compare.Extra)
	d.Press("!")
	at(compare.Missing)
	if lines := strings.Join(strings.Fields(d.Screen(80, 24)), " "); !strings.Contains(lines, "1 message stored that the transcript lacks") {
		t.Errorf("the end of the counts is cut:\n%s", d.Screen(80, 24))
	}
	d.Press("G")
	d.Press("esc", "x")
	d.Sees("2 entries stored")
	d.Clean(120, 36)
	d.Env.Sessions = nil
	d.Press("esc", "x")
	d.Sees("there is no transcript", "no transcript of this conversation was found: f names the file")
	d.App.Top().Update(ui.FailedMsg{Name: "compare", Err: context.Canceled})
	d.Sees("not read: the reading was cancelled; ctrl+r reads again")
	d.Press("f")
	d.Write(filepath.Join(folder, "nothing"))
	d.Press("enter")
	d.Sees("Transcript:", "~ ")
	d.Press("ctrl+u")
	d.Write(filepath.Join(folder, "roll"))
	d.Press("tab", "enter")
	d.Sees("2 entries stored")
}

// TestTheTranscriptOfAnImportIsFound: a session file is found whatever it is called, as the list of session files finds it.
func TestTheTranscriptOfAnImportIsFound(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head)
	folder := filepath.Join(filepath.Dir(d.Path), "sessions")
	d.Env.Sessions = []string{folder}
	d.WriteSessionFile(folder, "called-otherwise.jsonl", viewtest.TwoMessages)
	d.Press(".", "T", "I", "a", "enter", "c", "x")
	d.Sees("2 entries stored, 0 missing")
}
