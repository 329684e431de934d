package clean

import (
	"testing"
	"time"

	"lcm-tui/internal/testlength"
	"lcm-tui/views/viewtest"
)

// TestTrashPutsOneConversationBack: a file unfolds to its conversations, and one of them comes back
// after a review; a restore has no undo, and the review doesn't offer one.
func TestTrashPutsOneConversationBack(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveDemo(t)
	d.OpenTrash()
	d.Sees("Trash", "1 file", "#1", "removed", "a restore now", "1 conversation comes back")
	d.Press("enter")
	d.Sees("Islander and the harbours", "87 messages")
	d.Press("down")
	d.Goldens()
	d.Press("r")
	d.Sees("restore 1 conversation of ", "nothing is written yet", "comes back")
	d.Press("a")
	d.Sees("restored from the trash in")
	d.Misses("u undo")
	d.Press("enter")
	d.Sees("all of it is there")
	d.Press("esc", "esc")
	d.Sees(" 1 ▪ Islander")
}

// TestAllOfATrashFileIsTheUndoOfItsPrune.
func TestAllOfATrashFileIsTheUndoOfItsPrune(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.OpenTrash()
	d.Press("r")
	d.Sees("undo #1", "nothing is written yet")
	d.Press("a")
	d.Sees("#1 is undone")
	d.Press("enter")
	d.Sees("put back")
}

// TestTheTrashIsEmptiedAfterAWord: the age says which files, the line says how much, and only the word
// deletes them.
func TestTheTrashIsEmptiedAfterAWord(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveDemo(t)
	d.OpenTrash()
	d.Press("d", "enter")
	d.Sees("nothing in the trash is that old")
	d.Env.DB.Now = func() time.Time { return viewtest.DemoNow.AddDate(0, 2, 0) }
	d.Press("d", "enter")
	d.Sees("1 file of ", "type delete to go on")
	d.Write("no")
	d.Press("enter")
	d.Sees("type delete, or esc leaves")
	d.Press("ctrl+u")
	d.Write("delete")
	d.Press("enter")
	d.Sees("the trash is empty")
}

// TestHistoryLeadsToTheTrashOfAPrune.
func TestHistoryLeadsToTheTrashOfAPrune(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Prune(1)
	d.Press("H", "t")
	d.Sees("History › Trash", "#1")
}
