package views

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/ui"
)

// spoken makes a conversation of these messages.
func spoken(t *testing.T, ms ...fakehost.Message) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	conv, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:main", Active: true})
	for _, m := range ms {
		if err == nil {
			_, err = h.Message(conv, m)
		}
	}
	if err := errors.Join(err, h.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// readingOf opens a conversation as running text, from the newest message of the list.
func (d *driver) readingOf(conv int64) *Reading {
	d.t.Helper()
	d.open(conv, tabMessages)
	d.press("v")
	v, ok := d.app.Top().(*Reading)
	if !ok {
		d.t.Fatalf("v showed %T", d.app.Top())
	}
	return v
}

// TestReadingScreens: running text in three sizes, at the end and with tools unfolded.
func TestReadingScreens(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.readingOf(2)
	d.press("pgup", "pgup")
	d.goldens()
}

// TestReadingUnfoldsTools: a call takes a line until it is unfolded, and its message stays
// on top.
func TestReadingUnfoldsTools(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	v := d.readingOf(2)
	d.press("g")
	d.sees("[grep] docker build .github/workflows", "⋯ A search for docker build")
	d.misses(`"pattern": "docker build"`)
	d.press("t")
	d.sees(`"pattern": "docker build"`, "↳ answer of grep")
	if v.current != 1 {
		t.Errorf("the cursor is on %d", v.current)
	}
}

// TestReadingAndListKeepInStep: the list's cursor goes into the text, and the one of the
// text back into the list, by enter as by esc.
func TestReadingAndListKeepInStep(t *testing.T) {
	t.Parallel()
	for _, back := range []string{"enter", "esc"} {
		d := driveDemo(t)
		list := d.open(2, tabMessages).(*Messages)
		d.press("#")
		d.write("100")
		d.press("enter", "v")
		v := d.app.Top().(*Reading)
		if v.current != 100 {
			t.Fatalf("the text opens at %d", v.current)
		}
		d.press("right", "right", "right", back)
		if d.app.Top() != ui.Screen(list) || list.cursorSeq() != 103 {
			t.Errorf("%s: %T with the cursor on %d, want 103", back, d.app.Top(), list.cursorSeq())
		}
	}
}

// TestReadingMovesThroughALongConversation: pages are read as the text moves, the window
// stays small, and every message comes once and in order.
func TestReadingMovesThroughALongConversation(t *testing.T) {
	t.Parallel()
	const messages = 1500
	d := driveFile(t, long(t, messages))
	v := d.readingOf(1)
	d.press("g")
	d.screen(120, 36)
	var last int64
	for range messages {
		if v.current != last+1 {
			t.Fatalf("after %d comes %d", last, v.current)
		}
		last = v.current
		if n := len(v.window.items); n > readingMax {
			t.Fatalf("%d messages are kept", n)
		}
		if last < messages {
			d.send(ui.Press("right"))
		}
	}
	d.press("G")
	if got := d.screen(120, 36); !strings.Contains(got, "#1,500 of 1,500") {
		t.Errorf("the end isn't shown:\n%s", got)
	}
	d.press("g", "ctrl+d", "ctrl+f", "space", "pgup", "ctrl+u", "ctrl+b")
	if v.top.seq != v.ends.First || v.top.line != 0 {
		t.Errorf("pages down and up end at %+v", v.top)
	}
}

// TestReadingSearches: matches within a message come one after the other, then those of
// other messages, also inside what is folded; which one of how many is said.
func TestReadingSearches(t *testing.T) {
	t.Parallel()
	d := driveFile(t, spoken(t,
		fakehost.Message{Role: "user", Content: "needle one\n\nand\n\nneedle two"},
		fakehost.Message{Role: "assistant", Content: "nothing"},
		fakehost.Message{Role: "tool", Content: strings.Repeat("hay\n", 30) + "a NEEDLE below"},
	))
	v := d.readingOf(1)
	d.press("g", "/")
	d.write("needle")
	d.press("enter")
	d.sees("/ needle   1 of 2")
	if v.current != 1 || v.matchAt.line != 1 {
		t.Errorf("the first match is %+v in %d", v.matchAt, v.current)
	}
	d.press("n")
	if v.current != 1 || v.matchAt.line <= 1 {
		t.Errorf("the second match is %+v in %d", v.matchAt, v.current)
	}
	d.press("n")
	d.sees("a NEEDLE below", "2 of 2")
	if v.current != 3 {
		t.Errorf("the third match is in %d", v.current)
	}
	d.press("n")
	d.sees("went around the end of the conversation")
	d.press("N")
	d.sees("a NEEDLE below")
	d.press("esc")
	d.misses("/ needle")
	d.press("/")
	d.write("absent")
	d.press("enter")
	d.sees("no message of this conversation holds “absent”")
}

// TestReadingHoldsHostileTextOff: control characters of messages never reach the terminal,
// at any size.
func TestReadingHoldsHostileTextOff(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head, "hostile-text")
	d.readingOf(1)
	d.press("g", "t")
	for _, size := range [][2]int{{120, 36}, {80, 24}, {20, 5}} {
		d.clean(size[0], size[1])
	}
}

// TestReadingFollowsTheHost: a message that the host writes meanwhile can be read.
func TestReadingFollowsTheHost(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	v := d.readingOf(2)
	h, err := fakehost.Open(d.path)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if _, err := h.Message(2, fakehost.Message{Role: "user", Content: "are you still there?", At: demoNow}); err != nil {
		t.Fatal(err)
	}
	d.send(ui.ChangedMsg{External: true})
	d.press("G")
	d.sees("are you still there?", fmt.Sprintf("#%d of %d", v.ends.Last, v.ends.Last))
}
