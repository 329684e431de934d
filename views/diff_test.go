package views

import (
	"testing"

	"lcm-tui/data"
	"lcm-tui/ui"
)

// openDiff shows what differs between the demonstration and a copy that changeSome changed, named as a
// backup or as another database.
func (d *driver) openDiff(backup bool) *Diff {
	d.t.Helper()
	source := fileSource(d.changedCopy(), backup)
	source.name = "other.db"
	v := newDiff(d.env, source)
	d.send(ui.PushMsg{Screen: v})
	return v
}

// unfoldedDiff is openDiff with conversation 2 unfolded.
func (d *driver) unfoldedDiff() *Diff {
	d.t.Helper()
	v := d.openDiff(false)
	v.list.Select("2changed")
	d.press("right")
	return v
}

func TestDifferencesOfAnotherFile(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.openDiff(false)
	d.sees("added", "archived", "changed", "agent:main:new", "differ")
	d.golden()
}

func TestRowsOfAConversationAreUnfoldedAndVisited(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	v := d.unfoldedDiff()
	d.sees("▾ #2", "rewritten", "↕ context")
	d.press("down")
	d.goldens()
	at, _ := v.list.Selected()
	d.press("g")
	summaries, ok := d.app.Top().(*Summaries)
	if !ok {
		t.Fatalf("g leads to %s", d.app.Top().Title())
	}
	if summaries.Copy() != data.CellText(at.row.Value("summary_id")) {
		t.Error("the cursor is on another summary")
	}
	d.press("esc", "left")
	d.misses("sum_0422")
}

func TestTheBackupIsChosenAndIsTheEarlierFile(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.openDiff(true)
	d.sees("removed", "unarchived")
	d.press("esc")
	d.send(ui.PushMsg{Screen: NewDiffChoice(d.env)})
	d.sees("backup", "1h ago", "before.bak")
	d.press("enter")
	d.sees("unarchived", "agent:main:new")
}

func TestDifferencesBeforeARecord(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.openReview()
	d.press("a", "enter")
	d.send(ui.PushMsg{Screen: NewHistory(d.env)})
	d.press("x")
	d.sees("before #1", "1 conversation differs", "+ context", "− context")
	d.press("esc", "u", "a")
	d.send(ui.PushMsg{Screen: NewHistory(d.env)})
	d.press("x")
	d.sees("nothing differs")
}

func TestAnUnreadableFileIsNotCompared(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.send(ui.PushMsg{Screen: newDiff(d.env, fileSource(d.path+".gone", false))})
	d.sees("can't be compared", "there is no such file")
}
