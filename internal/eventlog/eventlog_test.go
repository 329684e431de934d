package eventlog_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lcm-tui/internal/eventlog"
	"lcm-tui/internal/testdb"
)

// lines returns the lines of a log. It fails where one is no JSON, or has a key that isn't known.
func lines(t *testing.T, text string) (out []map[string]any) {
	t.Helper()
	for line := range strings.Lines(text) {
		m := map[string]any{}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		for key := range m {
			if !slices.Contains(eventlog.Keys(), key) {
				t.Errorf("unknown key %q in %q", key, line)
			}
		}
		out = append(out, m)
	}
	return out
}

// TestOnlyKnownKeysAreWritten: a line has no key that nobody agreed on, whoever logs it.
func TestOnlyKnownKeysAreWritten(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	log := eventlog.New(&b, slog.LevelInfo)
	log.Info("pass", eventlog.Conversation, 7, eventlog.Took, 1500*time.Millisecond, eventlog.Error, errors.New("first\nsecond"),
		"content", "what was said", slog.Group("more", "text", "what was said"), eventlog.Summary, "", eventlog.Cost, 0.25)
	log.With("prompt", "what was said").WithGroup("g").Warn("again", eventlog.Op, "compact")
	got := lines(t, b.String())
	if strings.Contains(b.String(), "said") {
		t.Errorf("a text is in %s", &b)
	}
	for key, want := range map[string]any{"conversation_id": 7.0, "duration_ms": 1500.0, "error": "first second", "cost": 0.25, "msg": "pass", "level": "INFO"} {
		if got[0][key] != want {
			t.Errorf("%s: %v, want %v", key, got[0][key], want)
		}
	}
	if _, ok := got[0]["summary_id"]; ok {
		t.Errorf("an empty value is in %v", got[0])
	}
}

// TestALongTextIsCut: between two characters.
func TestALongTextIsCut(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	eventlog.New(&b, slog.LevelInfo).Error("x", eventlog.Error, strings.Repeat("ä€", 1000))
	text, _ := lines(t, b.String())[0]["error"].(string)
	if len(text) > 510 || !strings.HasSuffix(text, "…") || strings.ContainsRune(text, '\uFFFD') {
		t.Errorf("%d bytes: %q", len(text), text)
	}
}

// TestAFileBeginsAgain: there are never more files, or longer ones, than were asked for, and only their owner reads them.
func TestAFileBeginsAgain(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "x.log")
	f, err := eventlog.Open(path, 1000, 3)
	testdb.Must(t, err)
	log := eventlog.New(f, slog.LevelInfo)
	for i := range 100 {
		log.Info("pass", eventlog.Record, i)
	}
	testdb.Must(t, f.Close())
	all, err := os.ReadDir(folder)
	testdb.Must(t, err)
	if len(all) != 3 {
		t.Errorf("%d files", len(all))
	}
	newest := 100.0
	for _, name := range []string{"x.log", "x.log.1", "x.log.2"} {
		b, err := os.ReadFile(filepath.Join(folder, name))
		info, failed := os.Stat(filepath.Join(folder, name))
		testdb.Must(t, errors.Join(err, failed))
		if info.Mode().Perm() != 0o600 || info.Size() > 1000 {
			t.Errorf("%s: %v, %d bytes", name, info.Mode(), info.Size())
		}
		read := lines(t, string(b))
		for _, line := range slices.Backward(read) {
			if newest--; line["record"] != newest {
				t.Fatalf("%s: record %v, want %v", name, line["record"], newest)
			}
		}
	}
}

// TestSeveralWriters: no line is torn or lost, also where one of them begins the file again.
func TestSeveralWriters(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.log")
	const writers, each = 4, 50
	var wg sync.WaitGroup
	for w := range writers {
		f, err := eventlog.Open(path, eventlog.MaxBytes, eventlog.MaxFiles)
		testdb.Must(t, err)
		wg.Go(func() {
			defer f.Close()
			log := eventlog.New(f, slog.LevelInfo)
			for i := range each {
				log.Info("pass", eventlog.Op, fmt.Sprint(w), eventlog.Record, i)
			}
		})
	}
	wg.Wait()
	b, err := os.ReadFile(path)
	testdb.Must(t, err)
	if n := len(lines(t, string(b))); n != writers*each {
		t.Errorf("%d lines", n)
	}
}

// TestSeveralBeginTheFileAgain: each time one of them does, and no line is lost.
func TestSeveralBeginTheFileAgain(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.log")
	const writers, each, files = 8, 100, 400
	var wg sync.WaitGroup
	for range writers {
		f, err := eventlog.Open(path, 1000, files)
		testdb.Must(t, err)
		wg.Go(func() {
			defer f.Close()
			log := eventlog.New(f, slog.LevelInfo)
			for i := range each {
				log.Info("pass", eventlog.Record, i)
			}
		})
	}
	wg.Wait()
	all, err := filepath.Glob(path + "*")
	testdb.Must(t, err)
	n := 0
	for _, one := range all {
		b, err := os.ReadFile(one)
		testdb.Must(t, err)
		n += len(lines(t, string(b)))
	}
	if n != writers*each || len(all) < 10 || len(all) >= files {
		t.Errorf("%d lines in %d files", n, len(all))
	}
}

// TestAnotherBeginsTheFile: who has it open goes on in the new one.
func TestAnotherBeginsTheFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.log")
	f, err := eventlog.Open(path, eventlog.MaxBytes, eventlog.MaxFiles)
	testdb.Must(t, err)
	defer f.Close()
	log := eventlog.New(f, slog.LevelInfo)
	log.Info("before")
	testdb.Must(t, os.Rename(path, path+".1"))
	log.Info("after")
	b, err := os.ReadFile(path)
	testdb.Must(t, err)
	if got := lines(t, string(b)); len(got) != 1 || got[0]["msg"] != "after" {
		t.Errorf("%s", b)
	}
}

// TestWhatIsNoFileIsRefused: a folder or a pipe in its place.
func TestWhatIsNoFileIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := eventlog.Open(t.TempDir(), eventlog.MaxBytes, eventlog.MaxFiles); err == nil {
		t.Error("a folder is taken for a log")
	}
}
