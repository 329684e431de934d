package home

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testlength"
	"lcm-tui/views/viewtest"
)

// transplantSources opens the choice of what to carry into the first conversation of the demo.
func transplantSources(d *viewtest.Driver) *TransplantSources {
	d.T.Helper()
	d.Press(".", "t")
	v, ok := d.App.Top().(*TransplantSources)
	if !ok {
		d.T.Fatalf("t opened %T", d.App.Top())
	}
	return v
}

func TestTransplantSourcesScreen(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	transplantSources(d)
	d.Golden()
}

// TestTransplantNamesItsSourceWhole: where the line of what is copied is too long, it is wrapped.
func TestTransplantNamesItsSourceWhole(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	transplantSources(d)
	d.Press("m")
	if screen := d.Screen(80, 24); !strings.Contains(strings.Join(strings.Fields(screen), " "), "from another conversation of this database") {
		t.Errorf("the source is cut off:\n%s", screen)
	}
}

// TestTransplantFromChoiceToUndo: the source is chosen, its summaries are looked at,
// copied and undone.
func TestTransplantFromChoiceToUndo(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	was := d.Dump()
	v := transplantSources(d)
	for _, r := range v.List.Items() {
		if r.ID == v.target.ID {
			t.Error("a conversation is offered as its own source")
		}
	}
	d.Press("enter")
	d.Sees("transplant", "into "+v.target.Label(), "nothing is written yet", "+")
	d.Press("4")
	d.Sees("copied: ", "of its budget of")
	if d.Dump() != was {
		t.Fatal("a plan wrote")
	}
	d.Press("a")
	d.Sees("applied as #1")
	if d.Dump() == was {
		t.Fatal("nothing was written")
	}
	d.Press("enter", "enter")
	d.Sees("already has all of it")
	d.Press("esc", "H", "u", "a")
	if got := d.Dump(); got != was {
		t.Error(cmp.Diff(was, got))
	}
}

// TestTransplantCopiesMessagesOnRequest: m takes those that no summary covers too.
func TestTransplantCopiesMessagesOnRequest(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	transplantSources(d)
	d.Press("enter", "4")
	d.Sees("m among the")
	d.Misses("--")
	d.Press("esc", "m")
	d.Sees("messages that none covers", "m summaries only")
	d.Press("enter", "4")
	d.Misses("m among the")
}

// TestTransplantIsOfferedWhereItCanBe: not into an archived conversation.
func TestTransplantIsOfferedWhereItCanBe(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head)
	c := d.App.Top().(*Conversations)
	for range c.List.Items() {
		r, _ := c.List.Selected()
		d.Press(".", "t")
		if opened := d.App.Top() != c; opened != r.Active {
			t.Errorf("for %s, active %t, t opened a screen: %t", r.SessionKey, r.Active, opened)
		} else if opened {
			d.Press("esc")
		}
		d.Press("j")
	}
}

// TestTransplantSourcesAreCounted: also those that weren't on screen before.
func TestTransplantSourcesAreCounted(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	for _, r := range d.App.Top().(*Conversations).rows {
		r.counts = nil
	}
	v := transplantSources(d)
	d.Press("j")
	for _, r := range v.List.Items() {
		if r.counts == nil {
			t.Errorf("conversation %d isn't counted", r.ID)
		}
	}
}

// TestTransplantFromAnotherFile: f asks for a path, its conversations are listed with ids and
// dates, and the review copies from there; the other file isn't written.
func TestTransplantFromAnotherFile(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	other := viewtest.DriveSample(t, fakehost.Head)
	untouched := other.Dump()
	d := viewtest.DriveDemo(t)
	was := d.Dump()
	v := transplantSources(d)
	d.Press("f")
	d.Sees("Database file:", "an empty path is this database")
	d.Write("/nowhere/lcm.db")
	d.Press("enter")
	d.Sees("/nowhere/lcm.db", "there is no such file")
	d.Press("ctrl+u")
	d.Send(tea.PasteMsg{Content: other.Path})
	d.Press("enter")
	d.Sees("from another file, read-only: ", "Moving the ledger", "summar")
	if r, _ := v.List.Selected(); r == nil {
		t.Fatal("nothing is selected")
	}
	d.CursorOn("Moving the ledger")
	d.Press("enter")
	d.Sees("transplant", "nothing is written yet")
	d.Press("a")
	d.Sees("applied as #1")
	if d.Dump() == was {
		t.Error("nothing was written")
	}
	d.Press("u")
	if got := d.Dump(); got != was || other.Dump() != untouched {
		t.Error("the undo or the other file differs")
	}
	d.Press("enter", "f", "ctrl+u")
	d.Clean(80, 24)
}
