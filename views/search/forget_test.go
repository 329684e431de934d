package search

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/views/viewtest"
)

// TestWhatWasFoundIsForgottenFromTheSearch: the menu of the search opens the review of the messages; after a yes they
// are forgotten, and the receipt lies beside the database.
func TestWhatWasFoundIsForgottenFromTheSearch(t *testing.T) {
	t.Parallel()
	path := fileWith(t, []string{"the pelican nests behind the lighthouse", "nothing of note", "pelicans again"}, []string{"a pelican in use"})
	w, err := fakehost.Open(path)
	testdb.Must(t, err)
	_, err = w.Leaf(1, []int64{1, 2, 3}, "Birds were seen.")
	testdb.Must(t, err)
	testdb.Must(t, w.Exec("UPDATE conversations SET active = 0, archived_at = '2025-01-01 00:00:00', updated_at = '2025-01-01 00:00:00' WHERE conversation_id = 1"))
	testdb.Must(t, w.Close())
	d := viewtest.DriveFile(t, path)
	searchFor(d, "pelican")
	d.Press("tab", ".", "P")
	screen := d.Screen(140, 50)
	if !strings.Contains(screen, "Rows") {
		t.Fatalf("no review:\n%s", screen)
	}
	d.Press("3")
	screen = d.Screen(160, 60)
	for _, want := range []string{"2 messages to be forgotten", "the pelican nests", "found, and left as they are", "the conversation may go on"} {
		if !strings.Contains(screen, want) {
			t.Errorf("it doesn't show %q:\n%s", want, screen)
		}
	}
	d.Press("a", "y")
	if screen = d.Screen(160, 60); !strings.Contains(screen, "applied as #1") || !strings.Contains(screen, "receipt:") {
		t.Errorf("it shows:\n%s", screen)
	}
	if found, _ := filepath.Glob(path + ".lcm-tui-receipt-*.json"); len(found) != 1 {
		t.Errorf("the receipts are %v", found)
	} else if text, err := os.ReadFile(found[0]); err != nil || strings.Contains(string(text), "pelican") {
		t.Errorf("the receipt says %s, %v", text, err)
	}
	if n, err := testdb.Count(path, "SELECT count(*) FROM messages WHERE content LIKE '[LCM Forgotten: %'"); err != nil || n != 2 {
		t.Errorf("%d messages are forgotten, %v", n, err)
	}
}

// TestNothingThatWasFoundCanBeForgotten: the review says so first, and its reasons are wrapped behind their indent on a narrow
// terminal.
func TestNothingThatWasFoundCanBeForgotten(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, fileWith(t, []string{"the pelican nests behind the lighthouse", "nothing of note"}))
	searchFor(d, "pelican")
	d.Press("tab", ".", "P")
	screen := d.Screen(80, 24)
	if !strings.Contains(screen, "nothing that was found can be forgotten") || strings.Contains(screen, "once reclaimed") {
		t.Errorf("it shows:\n%s", screen)
	}
	_, reasons, found := strings.Cut(screen, "found, and left as they are\n")
	reasons, _, _ = strings.Cut(reasons, "\n\n")
	for line := range strings.Lines(reasons) {
		if !found || !strings.HasPrefix(line, "  ") {
			t.Errorf("%q isn't indented in:\n%s", line, screen)
		}
	}
}

// TestWhatNoSummaryCoversIsForgottenOnRequest: the review plans again with it, and without it.
func TestWhatNoSummaryCoversIsForgottenOnRequest(t *testing.T) {
	t.Parallel()
	path := fileWith(t, []string{"the pelican nests behind the lighthouse", "nothing of note"})
	w, err := fakehost.Open(path)
	testdb.Must(t, err)
	testdb.Must(t, w.Exec("DELETE FROM context_items"))
	testdb.Must(t, w.Exec("UPDATE conversations SET active = 0, archived_at = '2025-01-01 00:00:00', updated_at = '2025-01-01 00:00:00'"))
	testdb.Must(t, w.Close())
	d := viewtest.DriveFile(t, path)
	searchFor(d, "pelican")
	d.Press("tab", ".", "P")
	if screen := d.Screen(120, 36); !strings.Contains(screen, "w forgets it without one") || !strings.Contains(screen, "nothing that was found can be forgotten") {
		t.Fatalf("it shows:\n%s", screen)
	}
	d.Press("w", "3")
	if screen := d.Screen(120, 36); !strings.Contains(screen, "1 message to be forgotten") || !strings.Contains(screen, "also without a summary") {
		t.Fatalf("with it:\n%s", screen)
	}
	d.Press("w")
	if screen := d.Screen(120, 36); strings.Contains(screen, "1 message to be forgotten") {
		t.Fatalf("without it:\n%s", screen)
	}
	d.Press("w", "a", "y")
	if n, err := testdb.Count(path, "SELECT count(*) FROM messages WHERE content LIKE '[LCM Forgotten: %'"); err != nil || n != 1 {
		t.Errorf("%d messages are forgotten, %v:\n%s", n, err, d.Screen(120, 36))
	}
}
