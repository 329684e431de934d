package home

import (
	"strings"
	"testing"

	"lcm-tui/views/review"
	"lcm-tui/views/viewtest"
)

// TestSessionSaysWhatIsPossible: what isn't is listed with its reason, before anything is tried.
func TestSessionSaysWhatIsPossible(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press(".", "e")
	d.Sees("› Session", "rename: another session key", "unarchive: active again", "not possible: conversation")
	d.Press("G", "up")
	d.Sees("2 is active…", "~ not possible")
	d.Goldens()
	d.Press("?")
	d.Sees("rename archived ones too", "other cause of archiving")
}

// TestASessionIsRenamed: the dialog asks for the key, the review shows the row, and undo is there.
func TestASessionIsRenamed(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press(".", "e", "enter")
	d.Sees("new session key:", "what would change is shown first")
	d.Press("end")
	d.Write("2")
	d.Press("enter")
	if _, ok := d.App.Top().(*review.Review); !ok {
		t.Fatalf("a key opens %T", d.App.Top())
	}
	d.Sees("rename the session of ", "nothing is written yet")
	d.Press("a")
	d.Sees("applied as #1", "u undo")
	d.Press("u")
	d.Sees("#1 is undone")
}

// TestMarkedConversationsAreArchivedTogether: marks of the list are one operation, which leaves out
// those with which a host may go on.
func TestMarkedConversationsAreArchivedTogether(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press("space", "space", "space")
	d.Sees("✓ 3 marked", "✓ ")
	d.Press(".", "e")
	d.Sees("archive the 3 marked")
	d.Press("G")
	d.Sees("Ends every marked conversation")
	d.Press("esc", ".", "U")
	d.Misses("✓")
}

// TestThePaletteArchivesAndRenames: words of the operations are entries of the palette.
func TestThePaletteArchivesAndRenames(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Palette("rename")
	d.Press("enter")
	d.Sees("new session key:")
	d.Press("esc", "esc")
	d.Palette("unarchive")
	d.Press("enter")
	d.Sees("› Session", "is active already")
}

// TestAConversationGetsThePlaceOfAnother: the places are chosen from a list that says what a move does.
func TestAConversationGetsThePlaceOfAnother(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press(".", "v", ".", "v", ".", "e", "down", "down", "enter")
	places, ok := d.App.Top().(*SessionPlaces)
	if !ok {
		t.Fatalf("move opens %T", d.App.Top())
	}
	d.Sees("give ", "the place of another one")
	for places.List.Index() < places.List.Len()-1 && strings.Contains(d.Screen(120, 36), "not possible") {
		d.Press("down")
	}
	d.Goldens()
	d.Press("m")
	d.Sees("its messages stay where they are")
}
