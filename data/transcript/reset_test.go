package transcript_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"lcm-tui/data/transcript"
)

// TestResets: an entry names the last reset on its way. None is left aside: what names a parent
// from before a reset follows the reset.
func TestResets(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	const lines = `{"type":"session","version":4,"id":"s","timestamp":"2026-01-05T09:00:00.000Z"}
{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-05T09:00:01.000Z","message":{"role":"user","content":"one"}}
{"type":"reset","id":"r1","parentId":"a","timestamp":"2026-01-05T09:00:02.500Z","reason":"reset","firstKeptEntryId":"a"}
{"type":"message","id":"b","parentId":"r1","timestamp":"2026-01-05T09:00:03.000Z","message":{"role":"user","content":"reset"}}
{"type":"reset","id":"r2","parentId":"b","timestamp":"2026-01-05T09:00:04.000Z","reason":"idle"}
{"type":"message","id":"c","parentId":"b","timestamp":"2026-01-05T09:00:05.000Z","message":{"role":"user","content":"three"}}
{"type":"reset","id":"r3","parentId":"c","timestamp":"2026-01-05T09:00:06.000Z","reason":"daily"}
{"type":"message","id":"d","parentId":"r3","timestamp":"2026-01-05T09:00:07.000Z","message":{"role":"user","content":"four"}}
`
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := transcript.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	name := func(r *transcript.Reset) string {
		if r == nil {
			return "none"
		}
		return fmt.Sprintf("%d %s %s %s", r.Number, r.Reason, r.At.Format("05.000"), r.FirstKept)
	}
	got := ""
	for e, err := range f.Entries(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got += fmt.Sprintf("%s: %s\n", e.ID, name(e.Reset))
	}
	resets, err := f.Resets(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range resets {
		got += fmt.Sprintf("line %d: %s\n", r.Line, name(r))
	}
	const want = "a: none\nb: 1 reset 02.500 a\nc: 2 idle 04.000 \nd: 3 daily 06.000 \n" +
		"line 3: 1 reset 02.500 a\nline 5: 2 idle 04.000 \nline 7: 3 daily 06.000 \n"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestReadTwice: a transcript is read once for its resets and the way to its last entry, and once
// for each time that its entries are asked for.
func TestReadTwice(t *testing.T) {
	t.Parallel()
	for kind, lines := range map[transcript.Kind]string{
		transcript.OpenClaw: `{"type":"session","version":4,"id":"s","timestamp":"2026-01-05T09:00:00.000Z"}
{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-05T09:00:01.000Z","message":{"role":"user","content":"one"}}
{"type":"reset","id":"r1","parentId":"a","timestamp":"2026-01-05T09:00:02.500Z","reason":"reset"}
{"type":"message","id":"b","parentId":"r1","timestamp":"2026-01-05T09:00:03.000Z","message":{"role":"user","content":"two"}}
`,
		transcript.ClaudeCode: `{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","timestamp":"2026-01-05T09:00:01.000Z","message":{"role":"user","content":"one"}}
{"type":"user","uuid":"b","parentUuid":"a","sessionId":"s","timestamp":"2026-01-05T09:00:02.000Z","message":{"role":"user","content":"two"}}
`,
	} {
		f, err := transcript.OpenBytes(t.Context(), []byte(lines))
		if err != nil || f.Kind != kind {
			t.Fatal(f.Kind, err)
		}
		reads := transcript.CountReads(f)
		if _, err := f.Resets(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			n := 0
			for _, err := range f.Entries(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				n++
			}
			if n != 2 {
				t.Errorf("%s: %d entries", kind, n)
			}
		}
		if *reads != 3 {
			t.Errorf("%s: read %d times for the resets and twice the entries", kind, *reads)
		}
	}
}
