package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// openScript opens a session with a shell script in the place of the program.
func openScript(t *testing.T, script string) *session {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no shell scripts")
	}
	bin := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(bin, []byte("#!/bin/sh\nstty -echo -icanon\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	s, err := open(t.Context(), options{bin: bin, path: "unused", home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	return s
}

// TestWhatAFileHasNotIsNotWaitedFor: a search without hits ends the waiting, and what a screen never
// shows is an error that leaves out a part of the measurements.
func TestWhatAFileHasNotIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	s := openScript(t, "printf '3 conversations'; read -r x; printf ' nothing found: try others'; read -r x; printf '   1 hit'; read -r x\n")
	if _, err := s.rows(); err != nil {
		t.Fatal(err)
	}
	if _, found, err := s.pressUntilFound("two words\n", someHits.MatchString); found || err != nil {
		t.Errorf("without hits: %v, %v", found, err)
	}
	if _, found, err := s.pressUntilFound("another\n", someHits.MatchString); !found || err != nil {
		t.Errorf("with a hit: %v, %v", found, err)
	}
	if _, err := s.shows("sum_", 20*time.Millisecond, has("sum_")); !errors.Is(err, errNotShown) {
		t.Errorf("what is never shown: %v", err)
	}
}

// TestRowsAreFoundOnTheScreen: whatever the conversations are called.
func TestRowsAreFoundOnTheScreen(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{" 4,100 conversations   a agent: all": true, " 1 conversation ": true, " 0 conversations ": false, "no conversations: ": false} {
		if someRows.MatchString(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
	for text, want := range map[string]bool{" 1 of 4,100 conversations": true, " 0 of 8 conversations": false, " 8 conversations": false} {
		if filteredRows.MatchString(text) != want {
			t.Errorf("filtered %q: %v", text, !want)
		}
	}
}
