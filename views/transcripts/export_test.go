package transcripts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/internal/testlength"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// TestExportScreen: the formats with how each begins, and a file that is written privately, once.
func TestExportScreen(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveDemo(t)
	d.Open(2, views.TabSummaries)
	d.Press("X", "down")
	d.Sees("markdown", "how conversation-2.md begins", "holds all", "leaves out nothing")
	d.Goldens()
	d.Press("w", "r", "r", "f")
	d.Sees("holds messages", "leaves out secrets, keys, phone numbers", "large files: in the text")
	d.Misses("agent:main:main")
	to := filepath.Join(t.TempDir(), "page.md")
	d.Press("enter")
	d.Sees("Write to:", "nothing is written over")
	d.Press("ctrl+u")
	d.Write(to)
	d.Press("enter")
	d.Sees("wrote", "messages")
	b, err := os.ReadFile(to)
	if err != nil || !strings.Contains(string(b), "holds: messages") || strings.Contains(string(b), "agent:main:main") {
		t.Errorf("%v %.300s", err, b)
	}
	if info, err := os.Stat(to); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	d.Press("enter", "ctrl+u")
	d.Write(to)
	d.Press("enter")
	d.Sees("there is a file already")
}

// TestTheExportIsOfTheFormatThatWasNamed: while the path is typed, a click or the wheel chooses no other format for it.
func TestTheExportIsOfTheFormatThatWasNamed(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveDemo(t)
	d.Press("X", "down", "enter")
	for y := range 24 {
		d.Send(tea.MouseClickMsg{X: 3, Y: y, Button: tea.MouseLeft}, tea.MouseWheelMsg{X: 3, Y: y, Button: tea.MouseWheelDown})
	}
	to := filepath.Join(t.TempDir(), "page.md")
	d.Press("ctrl+u")
	d.Write(to)
	d.Press("enter")
	d.Sees("wrote")
	if b, err := os.ReadFile(to); err != nil || !strings.HasPrefix(string(b), "---\n") {
		t.Errorf("%v %.100s", err, b)
	}
}

// TestExportPreviewOfEveryFormat: each format shows its beginning, and the preview writes nothing.
func TestExportPreviewOfEveryFormat(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveDemo(t)
	d.Press("X")
	for _, want := range []string{"what conversation-2.html shows first", "session_id:", `{"type":"session"`, `"parentUuid":null`, `"role":"user"`, "digraph conversation_", "flowchart BT", `{"type":"export"`} {
		d.Sees(want)
		d.Press("f", "f", "f")
		d.Sees(want)
		d.Press("down")
	}
}
