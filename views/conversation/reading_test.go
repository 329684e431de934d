package conversation

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testlength"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
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
func readingOf(d *viewtest.Driver, conv int64) *Reading {
	d.T.Helper()
	d.Open(conv, views.TabMessages)
	d.Press("v")
	v, ok := d.App.Top().(*Reading)
	if !ok {
		d.T.Fatalf("v showed %T", d.App.Top())
	}
	return v
}

// TestReadingScreens: running text in three sizes, at the end and with tools unfolded.
func TestReadingScreens(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	readingOf(d, 2)
	d.Press("pgup", "pgup")
	d.Goldens()
}

// TestReadingKeepsItsMessageOnTheScreen: whatever the size of the window was in between.
func TestReadingKeepsItsMessageOnTheScreen(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	readingOf(d, 2)
	d.Press("G")
	for _, height := range []int{15, 50, 15, 70, 5} {
		if !strings.Contains(d.Screen(160, height), "▌") {
			t.Errorf("%d lines don't show the message under the cursor:\n%s", height, d.Screen(160, height))
		}
	}
}

// TestReadingUnfoldsTools: a call takes a line until it is unfolded, and its message stays
// on top.
func TestReadingUnfoldsTools(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	v := readingOf(d, 2)
	d.Press("g")
	d.Sees("[grep] docker build .github/workflows", "⋯ A search for docker build")
	d.Misses(`"pattern": "docker build"`)
	d.Press("t")
	d.Sees(`"pattern": "docker build"`, "↳ answer of grep")
	if v.current != 1 {
		t.Errorf("the cursor is on %d", v.current)
	}
}

// TestReadingAndListKeepInStep: the list's cursor goes into the text, and the one of the
// text back into the list, by enter as by esc.
func TestReadingAndListKeepInStep(t *testing.T) {
	t.Parallel()
	for _, back := range []string{"enter", "esc"} {
		d := viewtest.DriveDemo(t)
		list := d.Open(2, views.TabMessages).(*Messages)
		d.Press("#")
		d.Write("100")
		d.Press("enter", "v")
		v := d.App.Top().(*Reading)
		if v.current != 100 {
			t.Fatalf("the text opens at %d", v.current)
		}
		d.Press("right", "right", "right", back)
		if d.App.Top() != ui.Screen(list) || list.cursorSeq() != 103 {
			t.Errorf("%s: %T with the cursor on %d, want 103", back, d.App.Top(), list.cursorSeq())
		}
	}
}

// TestReadingMovesThroughALongConversation: pages are read as the text moves, the window
// stays small, and every message comes once and in order.
func TestReadingMovesThroughALongConversation(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const messages = 1500
	d := viewtest.DriveFile(t, viewtest.Long(t, messages))
	v := readingOf(d, 1)
	d.Press("g")
	d.Screen(120, 36)
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
			d.Send(ui.Press("right"))
		}
	}
	d.Press("G")
	if got := d.Screen(120, 36); !strings.Contains(got, "#1,500 of 1,500") {
		t.Errorf("the end isn't shown:\n%s", got)
	}
	d.Press("g", "ctrl+d", "ctrl+f", "space", "pgup", "ctrl+u", "ctrl+b")
	if v.top.seq != v.ends.First || v.top.line != 0 {
		t.Errorf("pages down and up end at %+v", v.top)
	}
}

// TestReadingSearches: matches within a message come one after the other, then those of
// other messages, also inside what is folded; which one of how many is said.
func TestReadingSearches(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, spoken(t,
		fakehost.Message{Role: "user", Content: "needle one\n\nand\n\nneedle two"},
		fakehost.Message{Role: "assistant", Content: "nothing"},
		fakehost.Message{Role: "tool", Content: strings.Repeat("hay\n", 30) + "a NEEDLE below"},
	))
	v := readingOf(d, 1)
	d.Press("g", "/")
	d.Write("needle")
	d.Press("enter")
	d.Sees("/ needle   1 of 2")
	if v.current != 1 || v.matchAt.line != 1 {
		t.Errorf("the first match is %+v in %d", v.matchAt, v.current)
	}
	d.Press("n")
	if v.current != 1 || v.matchAt.line <= 1 {
		t.Errorf("the second match is %+v in %d", v.matchAt, v.current)
	}
	d.Press("n")
	d.Sees("a NEEDLE below", "2 of 2")
	if v.current != 3 {
		t.Errorf("the third match is in %d", v.current)
	}
	d.Press("n")
	d.Sees("went around the end of the conversation")
	d.Press("N")
	d.Sees("a NEEDLE below")
	d.Press("esc")
	d.Misses("/ needle")
	d.Press("/")
	d.Write("absent")
	d.Press("enter")
	d.Sees("no message of this conversation holds “absent”")
}

// TestReadingHoldsHostileTextOff: control characters of messages never reach the terminal,
// at any size.
func TestReadingHoldsHostileTextOff(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head, "hostile-text")
	readingOf(d, 1)
	d.Press("g", "t")
	for _, size := range [][2]int{{120, 36}, {80, 24}, {20, 5}} {
		d.Clean(size[0], size[1])
	}
}

// TestReadingFollowsTheHost: a message that the host writes meanwhile can be read.
func TestReadingFollowsTheHost(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	v := readingOf(d, 2)
	h, err := fakehost.Open(d.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if _, err := h.Message(2, fakehost.Message{Role: "user", Content: "are you still there?", At: viewtest.DemoNow}); err != nil {
		t.Fatal(err)
	}
	d.Press("up", "up", "up")
	d.App.View()
	before := v.current
	d.Send(ui.ChangedMsg{External: true})
	if d.App.View(); v.current != before || v.top.seq == before {
		t.Errorf("the cursor went from %d to %d, with %d at the top", before, v.current, v.top.seq)
	}
	d.Press("G")
	d.Sees("are you still there?", fmt.Sprintf("#%d of %d", v.ends.Last, v.ends.Last))
}
