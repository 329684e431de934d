package views

import (
	"strings"
	"testing"
)

// TestSessionSaysWhatIsPossible: what isn't is listed with its reason, before anything is tried.
func TestSessionSaysWhatIsPossible(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.press("K")
	d.sees("› Session", "rename: another session key", "unarchive: active again", "not possible: conversation")
	d.press("G", "up")
	d.sees("2 is active…", "~ not possible")
	d.goldens()
	d.press("?")
	d.sees("rename archived ones too", "other cause of archiving")
}

// TestASessionIsRenamed: the dialog asks for the key, the review shows the row, and undo is there.
func TestASessionIsRenamed(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.press("K", "enter")
	d.sees("new session key:", "what would change is shown first")
	d.press("end")
	d.write("2")
	d.press("enter")
	if _, ok := d.app.Top().(*Review); !ok {
		t.Fatalf("a key opens %T", d.app.Top())
	}
	d.sees("rename the session of conversation", "nothing is written yet")
	d.press("a")
	d.sees("applied as #1", "u undo")
	d.press("u")
	d.sees("#1 is undone")
}

// TestMarkedConversationsAreArchivedTogether: marks of the list are one operation, which leaves out
// those with which a host may go on.
func TestMarkedConversationsAreArchivedTogether(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.press("space", "space", "space")
	d.sees("✓ 3 marked", "✓ ")
	d.press("K")
	d.sees("archive the 3 marked")
	d.press("G")
	d.sees("Ends every marked conversation")
	d.press("esc", "U")
	d.misses("✓")
}

// TestThePaletteArchivesAndRenames: words of the operations are entries of the palette.
func TestThePaletteArchivesAndRenames(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.palette("rename")
	d.press("enter")
	d.sees("new session key:")
	d.press("esc", "esc")
	d.palette("unarchive")
	d.press("enter")
	d.sees("› Session", "is active already")
}

// TestAConversationGetsThePlaceOfAnother: the places are chosen from a list that says what a move does.
func TestAConversationGetsThePlaceOfAnother(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.press("v", "v", "K", "down", "down", "enter")
	places, ok := d.app.Top().(*SessionPlaces)
	if !ok {
		t.Fatalf("move opens %T", d.app.Top())
	}
	d.sees("give ", "the place of another one")
	for places.list.Index() < places.list.Len()-1 && strings.Contains(d.screen(120, 36), "not possible") {
		d.press("down")
	}
	d.goldens()
	d.press("m")
	d.sees("its messages stay where they are")
}
