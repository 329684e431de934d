package compare

import (
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"lcm-tui/data"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ui"
	"lcm-tui/views/conversation"
	"lcm-tui/views/review"
	"lcm-tui/views/viewtest"
)

// openDiff shows what differs between the demonstration and a copy that changeSome changed, named as a
// backup or as another database.
func openDiff(d *viewtest.Driver, backup bool) *Diff {
	d.T.Helper()
	source := fileSource(d.ChangedCopy(), backup)
	source.name = "other.db"
	v := newDiff(d.Env, source)
	d.Send(ui.PushMsg{Screen: v})
	return v
}

// unfoldedDiff is openDiff with conversation 2 unfolded.
func unfoldedDiff(d *viewtest.Driver) *Diff {
	d.T.Helper()
	v := openDiff(d, false)
	v.List.Select("2changed")
	d.Press("right")
	return v
}

func TestDifferencesOfAnotherFile(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	openDiff(d, false)
	d.Sees("added", "archived", "changed", "agent:main:new", "differ")
	d.Golden()
}

func TestRowsOfAConversationAreUnfoldedAndVisited(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	v := unfoldedDiff(d)
	d.Sees("▾ #2", "rewritten", "↕ context")
	d.Press("down")
	d.Goldens()
	at, _ := v.List.Selected()
	d.Press("g")
	summaries, ok := d.App.Top().(*conversation.Summaries)
	if !ok {
		t.Fatalf("g leads to %s", d.App.Top().Title())
	}
	if summaries.Copy() != data.CellText(at.row.Value("summary_id")) {
		t.Error("the cursor is on another summary")
	}
	d.Press("esc", "left")
	d.Misses("sum_0422")
}

func TestTheBackupIsChosenAndIsTheEarlierFile(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	openDiff(d, true)
	d.Sees("removed", "unarchived")
	d.Press("esc")
	d.Send(ui.PushMsg{Screen: NewDiffChoice(d.Env)})
	d.Sees("backup", "1h ago", "before.bak")
	d.Press("enter")
	d.Sees("unarchived", "agent:main:new")
}

func TestDifferencesBeforeARecord(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveDemo(t)
	d.OpenReview()
	d.Press("a", "enter")
	d.Send(ui.PushMsg{Screen: review.NewHistory(d.Env)})
	d.Press("x")
	d.Sees("before #1", "1 conversation differs; only what lcm-tui changed since is compared", "+ context", "− context")
	d.Press("esc", "u", "a")
	d.Send(ui.PushMsg{Screen: review.NewHistory(d.Env)})
	d.Press("x")
	d.Sees("nothing differs: what was changed since is as it was")
}

func TestAnUnreadableFileIsNotCompared(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Send(ui.PushMsg{Screen: newDiff(d.Env, fileSource(d.Path+".gone", false))})
	d.Sees("can't be compared", "there is no such file")
}

// TestADamagedFileIsComparedAsFarAsItGoes: the file is named in a prompt, and nothing is called equal that couldn't be read.
func TestADamagedFileIsComparedAsFarAsItGoes(t *testing.T) {
	t.Parallel()
	cut := testdb.Fixture(t, "faults/sqlite-truncated.db")
	d := viewtest.DriveFile(t, testdb.Copy(t, testdb.Fixture(t, "faults/baseline.db")))
	d.Palette("diff")
	d.Press("enter", "f")
	d.Sees("Compare with:", "tab complete")
	d.Write(cut + ".gone")
	d.Press("enter")
	d.Sees("Compare with:", "~ ")
	d.Press("ctrl+u")
	d.Write(cut)
	d.Press("enter")
	d.Sees("0 are equal, 2 are equal as far as they can be read", "! messages, message_parts, summaries of conversations 1, 2 can't be compared", "nothing differs in what can be read")
	d.Misses("both files hold the same")
}

// TestEveryScreenInEveryTheme draws the differences at three sizes, on a dark and a light background and
// without colour.
func TestEveryScreenInEveryTheme(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(*viewtest.Driver){
		"differences":      func(d *viewtest.Driver) { openDiff(d, false) },
		"rows that differ": func(d *viewtest.Driver) { unfoldedDiff(d); d.Press("down") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := viewtest.DriveDemo(t)
			open(d)
			golden.RequireEqual(t, d.DrawThemes())
		})
	}
}
