package filesystem_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"lcm-tui/internal/filesystem"
)

// TestGlobTakesThePathOfAFolderAsItIs: what stands for other characters in a pattern stands for itself there.
func TestGlobTakesThePathOfAFolderAsItIs(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("names can't have these characters")
	}
	for _, name := range []string{"plain", "[1]", "a*", "what?", `back\slash`, "[", "é[x]"} {
		folder := filepath.Join(t.TempDir(), name)
		want := filepath.Join(folder, "agents", "main", "session.jsonl")
		if err := os.MkdirAll(filepath.Dir(want), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(want, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if found := filesystem.Glob(folder, "agents", "*", "*.jsonl"); len(found) != 1 || found[0] != want {
			t.Errorf("%s: %q", name, found)
		}
	}
}
