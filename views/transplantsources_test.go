package views

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"lcm-tui/internal/fakehost"
)

// transplantSources opens the choice of what to carry into the first conversation of the demo.
func (d *driver) transplantSources() *TransplantSources {
	d.t.Helper()
	d.press("t")
	v, ok := d.app.Top().(*TransplantSources)
	if !ok {
		d.t.Fatalf("t opened %T", d.app.Top())
	}
	return v
}

func TestTransplantSourcesScreen(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.transplantSources()
	d.golden()
}

// TestTransplantFromChoiceToUndo: the source is chosen, its summaries are looked at,
// copied and undone.
func TestTransplantFromChoiceToUndo(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	was := d.dump()
	v := d.transplantSources()
	for _, r := range v.list.Items() {
		if r.ID == v.target.ID {
			t.Error("a conversation is offered as its own source")
		}
	}
	d.press("enter")
	d.sees("transplant", "into conversation "+itoa(v.target.ID), "nothing is written yet", "+")
	d.press("4")
	d.sees("copied: ", "of its budget of")
	if d.dump() != was {
		t.Fatal("a plan wrote")
	}
	d.press("a")
	d.sees("applied as #1")
	if d.dump() == was {
		t.Fatal("nothing was written")
	}
	d.press("enter", "enter")
	d.sees("already has all of it")
	d.press("esc", "H", "u", "a")
	if got := d.dump(); got != was {
		t.Error(cmp.Diff(was, got))
	}
}

// TestTransplantCopiesMessagesOnRequest: m takes those that no summary covers too.
func TestTransplantCopiesMessagesOnRequest(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.transplantSources()
	d.press("enter", "4")
	d.sees("m among the")
	d.misses("--")
	d.press("esc", "m")
	d.sees("messages that none covers", "m summaries only")
	d.press("enter", "4")
	d.misses("m among the")
}

// TestTransplantIsOfferedWhereItCanBe: not into an archived conversation.
func TestTransplantIsOfferedWhereItCanBe(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head)
	c := d.app.Top().(*Conversations)
	for range c.list.Items() {
		r, _ := c.list.Selected()
		d.press("t")
		if opened := d.app.Top() != c; opened != r.Active {
			t.Errorf("for %s, active %t, t opened a screen: %t", r.SessionKey, r.Active, opened)
		} else if opened {
			d.press("esc")
		}
		d.press("j")
	}
}

// TestTransplantSourcesAreCounted: also those that weren't on screen before.
func TestTransplantSourcesAreCounted(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	for _, r := range d.app.Top().(*Conversations).rows {
		r.counts = nil
	}
	v := d.transplantSources()
	d.press("j")
	for _, r := range v.list.Items() {
		if r.counts == nil {
			t.Errorf("conversation %d isn't counted", r.ID)
		}
	}
}

// TestTransplantFromAnotherFile: f asks for a path, its conversations are listed with ids and
// dates, and the review copies from there; the other file isn't written.
func TestTransplantFromAnotherFile(t *testing.T) {
	t.Parallel()
	other := driveSample(t, fakehost.Head)
	untouched := other.dump()
	d := driveDemo(t)
	was := d.dump()
	v := d.transplantSources()
	d.press("f")
	d.sees("database file (empty: this one):")
	d.write("/nowhere/lcm.db")
	d.press("enter")
	d.sees("/nowhere/lcm.db", "another conversation of this database")
	d.press("f")
	d.send(tea.PasteMsg{Content: other.path})
	d.press("enter")
	d.sees("from another file, read-only: ", "Moving the ledger", "summar")
	if r, _ := v.list.Selected(); r == nil {
		t.Fatal("nothing is selected")
	}
	d.cursorOn("Moving the ledger")
	d.press("enter")
	d.sees("transplant", "nothing is written yet")
	d.press("a")
	d.sees("applied as #1")
	if d.dump() == was {
		t.Error("nothing was written")
	}
	d.press("u")
	if got := d.dump(); got != was || other.dump() != untouched {
		t.Error("the undo or the other file differs")
	}
	d.press("enter", "f", "ctrl+u")
	d.clean(80, 24)
}
