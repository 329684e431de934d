package views

import (
	"testing"
	"time"
)

// TestTrashPutsOneConversationBack: a file unfolds to its conversations, and one of them comes back
// after a review; a restore has no undo, and the review doesn't offer one.
func TestTrashPutsOneConversationBack(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.openTrash()
	d.sees("Trash", "1 file", "#1", "removed", "a restore now", "1 conversation comes back")
	d.press("enter")
	d.sees("Islander and the harbours", "87 messages")
	d.press("down")
	d.goldens()
	d.press("r")
	d.sees("restore 1 conversation of ", "nothing is written yet", "comes back")
	d.press("a")
	d.sees("restored from the trash in")
	d.misses("u undo")
	d.press("enter")
	d.sees("all of it is there")
	d.press("esc", "esc")
	d.sees("Islander and the harbours")
}

// TestAllOfATrashFileIsTheUndoOfItsPrune.
func TestAllOfATrashFileIsTheUndoOfItsPrune(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.openTrash()
	d.press("r")
	d.sees("undo #1", "nothing is written yet")
	d.press("a")
	d.sees("#1 is undone")
	d.press("enter")
	d.sees("put back")
}

// TestTheTrashIsEmptiedAfterAWord: the age says which files, the line says how much, and only the word
// deletes them.
func TestTheTrashIsEmptiedAfterAWord(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.openTrash()
	d.press("d", "enter")
	d.sees("nothing in the trash is that old")
	d.env.DB.Now = func() time.Time { return demoNow.AddDate(0, 2, 0) }
	d.press("d", "enter")
	d.sees("1 file of ", "type delete to go on")
	d.write("no")
	d.press("enter")
	d.sees("nothing was deleted", "removed")
	d.press("d", "enter")
	d.write("delete")
	d.press("enter")
	d.sees("the trash is empty")
}

// TestHistoryLeadsToTheTrashOfAPrune.
func TestHistoryLeadsToTheTrashOfAPrune(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.prune(1)
	d.press("H", "t")
	d.sees("History › Trash", "#1")
}
