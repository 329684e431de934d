package work_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"lcm-tui/data/transcript"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops/backfill"
	"lcm-tui/work"
)

// opened returns the sidecar in a folder.
func opened(t *testing.T, folder string) *work.Sidecar {
	t.Helper()
	s, err := work.Open(t.Context(), folder)
	testdb.Must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestPositions: what was noted of a session file is there when the sidecar is opened again, and the file is
// private.
func TestPositions(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "deep", "er")
	s := opened(t, folder)
	p := backfill.Position{Kind: transcript.Codex, Conversation: 7, Entry: "e1", Mark: transcript.Mark{Offset: 12, Names: map[string]string{"k": "shell"}}}
	testdb.Must(t, s.SetPosition(t.Context(), "/a.jsonl", p))
	testdb.Must(t, s.Close())
	got, ok, err := opened(t, folder).Position(t.Context(), "/a.jsonl")
	if err != nil || !ok || got.Conversation != 7 || got.Mark.Names["k"] != "shell" {
		t.Errorf("%+v, %v, %v", got, ok, err)
	}
	if _, ok, err := opened(t, folder).Position(t.Context(), "/b.jsonl"); ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
	files, err := os.ReadDir(folder)
	testdb.Must(t, err)
	for _, f := range files {
		if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", f.Name(), info.Mode(), err)
		}
	}
}

// TestADamagedSidecarIsPutAside: nothing of it is needed, so the next one is made in its place.
func TestADamagedSidecarIsPutAside(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	testdb.WriteText(t, filepath.Join(folder, "work.db"), "this is no database, and long enough to be looked at as one")
	s := opened(t, folder)
	testdb.Must(t, s.NoteReceipt(t.Context(), "codex", "Stop", "s1", time.Millisecond, ""))
	if aside, _ := filepath.Glob(filepath.Join(folder, "work.db.damaged-*")); len(aside) != 1 {
		t.Errorf("put aside: %q", aside)
	}
}

// TestTheLedger: it has what went into a session since its context was emptied, and a queued event that comes a
// second time is known.
func TestTheLedger(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := opened(t, t.TempDir())
	testdb.Must(t, s.NoteInjection(ctx, "codex", "SessionStart", "s1", []string{"sum_1"}, 100))
	testdb.Must(t, s.NoteInjection(ctx, "codex", "SessionStart", "s2", nil, 50))
	check := func(when string, characters int, has bool) {
		t.Helper()
		in, err := s.Injected(ctx, "s1")
		if err != nil || in.Characters != characters || in.IDs["sum_1"] != has {
			t.Errorf("%s: %+v, %v", when, in, err)
		}
	}
	check("at first", 100, true)
	if again, err := s.ResetInjections(ctx, "s1", time.Hour); again || err != nil {
		t.Errorf("%v, %v", again, err)
	}
	check("after a compaction", 0, false)
	if again, err := s.ResetInjections(ctx, "s1", time.Hour); !again || err != nil {
		t.Errorf("%v, %v", again, err)
	}
	all, err := s.Ledger(ctx, 10)
	if err != nil || len(all) != 2 || all[0].Session != "s2" {
		t.Errorf("%+v, %v", all, err)
	}
}

// noteAtOnce lets several open a sidecar at the same time, and note so many calls of a hook each.
func noteAtOnce(t *testing.T, folder string, all, each int, failure string) {
	t.Helper()
	var wg sync.WaitGroup
	for range all {
		wg.Go(func() {
			s, err := work.Open(context.Background(), folder)
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			for range each {
				if err := s.NoteReceipt(context.Background(), "claude-code", "Stop", "s1", time.Millisecond, failure); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// TestEightHooksAtOnce: none waits for long, and none is lost.
func TestEightHooksAtOnce(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	const each = 20
	noteAtOnce(t, folder, 8, each, "busy")
	all, err := opened(t, folder).Receipts(t.Context())
	if err != nil || len(all) != 1 || all[0].Times != 8*each || all[0].Failures != 8*each {
		t.Errorf("%+v, %v", all, err)
	}
}
