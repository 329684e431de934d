package views

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/ui"
)

// TestCompletePath: a path grows as far as there is no choice; then the names are listed. Hidden files are offered
// only where their dot is typed.
func TestCompletePath(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + string(filepath.Separator)
	for _, name := range []string{"lcm.db", "lcm.db-wal", "other", ".hidden", "übung.db"} {
		if err := os.WriteFile(dir+name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(dir+"state", 0o700); err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]struct {
		to    string
		names []string
	}{
		"l": {"lcm.db", []string{"lcm.db", "lcm.db-wal"}}, "o": {"other", nil}, "s": {"state" + string(filepath.Separator), nil},
		".": {".hidden", nil}, "ü": {"übung.db", nil}, "x": {"x", nil}, "none/x": {"none/x", nil},
	} {
		if to, names := completePath(dir + typed); to != dir+want.to || !slices.Equal(names, want.names) {
			t.Errorf("%s leads to %s, %q", typed, to, names)
		}
	}
	if _, names := completePath(dir); slices.Contains(names, ".hidden") || len(names) != 5 {
		t.Errorf("%q", names)
	}
}

// TestTheNoteOfAPathIsShownInFull below the path, also in a narrow window.
func TestTheNoteOfAPathIsShownInFull(t *testing.T) {
	t.Parallel()
	s := ui.NewStyles(true)
	const note = "a new database, private to you; nothing is written over, and this one is only read"
	p := NewPathPrompt(&s, "Write to:", note, "write it", "write", nil)
	p.Open("")
	lines := p.lines(60, &s)
	if got := strings.Join(strings.Fields(ansi.Strip(strings.Join(lines[1:], " "))), " "); got != note {
		t.Errorf("%q", got)
	}
	for _, l := range lines {
		if ansi.StringWidth(l) > 60 {
			t.Errorf("%q is wider than the window", l)
		}
	}
}
