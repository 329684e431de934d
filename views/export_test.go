package views

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExportScreen: the formats with how each begins, and a file that is written privately, once.
func TestExportScreen(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.open(2, tabSummaries)
	d.press("X", "down")
	d.sees("markdown", "how conversation-2.md begins", "holds all", "leaves out nothing")
	d.goldens()
	d.press("w", "r", "r", "f")
	d.sees("holds messages", "leaves out secrets, keys, phone numbers", "large files: in the text")
	d.misses("agent:main:main")
	to := filepath.Join(t.TempDir(), "page.md")
	d.press("enter")
	d.sees("Write to:", "nothing is written over")
	d.press("ctrl+u")
	d.write(to)
	d.press("enter")
	d.sees("wrote", "messages")
	b, err := os.ReadFile(to)
	if err != nil || !strings.Contains(string(b), "holds: messages") || strings.Contains(string(b), "agent:main:main") {
		t.Errorf("%v %.300s", err, b)
	}
	if info, err := os.Stat(to); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	d.press("enter", "ctrl+u")
	d.write(to)
	d.press("enter")
	d.sees("there is a file already")
}

// TestExportPreviewOfEveryFormat: each format shows its beginning, and the preview writes nothing.
func TestExportPreviewOfEveryFormat(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.press("X")
	for _, want := range []string{"class=", "session_id:", `{"type":"session"`, `"parentUuid":null`, `"role":"user"`, "digraph conversation_", "flowchart BT", `{"type":"export"`} {
		d.sees(want)
		d.press("f", "f", "f")
		d.sees(want)
		d.press("down")
	}
}
