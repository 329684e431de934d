package export_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/export"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
)

// namesIn returns the names of what a folder holds, also hidden ones.
func namesIn(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	testdb.Must(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestAKilledExportIsRemovedByTheNext: its texts are those of the conversations, and nobody would look for them.
func TestAKilledExportIsRemovedByTheNext(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	convs, err := lcm.Conversations(t.Context(), db)
	testdb.Must(t, err)
	place := t.TempDir()
	killed := filepath.Join(place, "lcm-tui-export-1")
	testdb.Must(t, os.Mkdir(killed, 0o700))
	for _, name := range []string{".lock", "1-main.md"} {
		testdb.Must(t, os.WriteFile(filepath.Join(killed, name), nil, 0o600))
	}
	_, _, err = export.ToFolder(t.Context(), db, convs, export.Target{Path: filepath.Join(place, "out")}, export.Options{Format: export.Markdown}, nil)
	testdb.Must(t, err)
	if got := namesIn(t, place); len(got) != 1 || got[0] != "out" {
		t.Errorf("beside it are %v", got)
	}
	if got := namesIn(t, filepath.Join(place, "out")); len(got) != len(convs) || strings.HasPrefix(got[0], ".") {
		t.Errorf("of %d conversations it has %v", len(convs), got)
	}
}

// TestAnExportOnAFullDiskSaysSo: with the name that the user gave, and nothing is left.
func TestAnExportOnAFullDiskSaysSo(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	convs, err := lcm.Conversations(t.Context(), db)
	testdb.Must(t, err)
	place := testdb.Disk(t, 8<<10)
	to := filepath.Join(place, "all.jsonl")
	_, _, err = export.ToFile(t.Context(), db, convs, export.Target{Path: to}, export.Options{Format: export.JSONL}, noReport)
	if err == nil || err.Error() != "export to "+to+": the disk is full" || hint.Of(err) == "" {
		t.Errorf("it says %v", err)
	}
	if got := namesIn(t, place); len(got) > 0 {
		t.Errorf("left behind: %v", got)
	}
}
