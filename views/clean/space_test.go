package clean

import (
	"context"
	"testing"

	"lcm-tui/internal/testdb"
	"lcm-tui/ops/space"
	"lcm-tui/ui"
	"lcm-tui/views/conversation"
	"lcm-tui/views/home"
	"lcm-tui/views/review"
	"lcm-tui/views/viewtest"
)

func TestSpaceOfTheDemonstration(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press("z")
	d.Goldens()
}

// TestSpaceOpensDownToAMessage: from a table to its conversations, to the largest messages of
// one, to the message in its conversation; esc goes back the same way.
func TestSpaceOpensDownToAMessage(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press("z")
	d.Sees("1 Tables", "message_parts", "once reclaimed")
	d.Press("enter")
	d.Sees("Space › message_parts", "INC-81: search is slow")
	d.Press("enter")
	d.Sees("the largest messages", "in its row and its parts")
	d.Goldens()
	d.Press("enter")
	if _, ok := d.App.Top().(*conversation.Messages); !ok {
		t.Fatalf("a message opens %T", d.App.Top())
	}
	d.Press("esc")
	d.Sees("the largest messages")
	d.Press("esc")
	d.Sees("Space › message_parts", "INC-81: search is slow")
	d.Press("esc", "esc")
	if _, ok := d.App.Top().(*home.Conversations); !ok {
		t.Fatalf("esc ends at %T", d.App.Top())
	}
}

// TestSpaceGroupsByEverything: each tab has rows, and tab goes through all of them.
func TestSpaceGroupsByEverything(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press("z")
	for i, want := range []string{"messages_fts", "INC-81: search is slow", "main", "telegram", "2026-0", "message_parts: text", "give unused space back", "messages_fts"} {
		if i > 0 {
			d.Press("tab")
		}
		d.Sees(want)
	}
	for _, k := range []string{"3", "4", "5", "6"} {
		d.Press(k, "enter")
		d.Misses("there is nothing of the kind")
		if n := len(d.App.Top().(*Space).place.levels); n != 1 {
			t.Errorf("%d levels are open after %s enter", n, k)
		}
	}
}

// TestSpaceShowsWhatIsMeasuredSoFar: numbers are drawn while the measuring goes on, and stay when
// it is cancelled.
func TestSpaceShowsWhatIsMeasuredSoFar(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	db := testdb.Open(t, d.Path)
	var first *space.Report
	_, err := space.Read(t.Context(), db, space.Folders{}, func(r *space.Report) {
		if first == nil {
			first = r
		}
	})
	if err != nil || first == nil {
		t.Fatal("no report came before the whole one", err)
	}
	d.Press("z")
	v := d.App.Top().(*Space)
	v.report, v.running = nil, &spaceReading{}
	v.running.put(first)
	d.Sees("message_parts", "measuring 0%")
	d.Misses("once reclaimed")
	v.failed(ui.FailedMsg{Name: "measure", Err: context.Canceled})
	d.Sees("message_parts", "not all is measured: the measuring was cancelled")
	d.Press("ctrl+r")
	d.Sees("once reclaimed")
	d.Misses("not all is measured")
}

// TestMarkedConversationsAreReviewedTogether: marks limit what each way of cleaning is about, and
// enter shows the conversations that would change before anything is written.
func TestMarkedConversationsAreReviewedTogether(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press("z", "7")
	d.Sees("prune copies", "prune conversations")
	d.Press("2", "space", "space", "P")
	d.Sees("✓ 2 conversations marked", "prune copies")
	d.CursorOn("prune conversations")
	d.Sees("2 conversations stay as they are")
	d.Press("g")
	d.Press("down", "enter")
	if _, ok := d.App.Top().(*review.Review); !ok {
		t.Fatalf("a lever opens %T", d.App.Top())
	}
	d.Sees("drop copies of texts (Tidewater #2, INC-81: search is slow #8)", "of 2 conversations", "nothing is written yet", "message_parts 29", "→ ")
	d.Goldens()
	d.Press("a")
	d.Sees("applied as #1")
	d.Press("u")
	for range 3 {
		if _, ok := d.App.Top().(*Space); !ok {
			d.Press("esc")
		}
	}
	d.Press("2")
	d.Sees("✓")
	d.Press("U")
	d.Misses("✓")
}

// TestConversationsAreMarkedInTheirList: the marks are those of the screen of what fills the file.
func TestConversationsAreMarkedInTheirList(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press("P")
	if _, ok := d.App.Top().(*home.Conversations); !ok {
		t.Fatal("without marks P opens something")
	}
	d.Press("space", "space")
	d.Sees("✓ Tidewater")
	d.Press(".", "P")
	d.Sees("7 Cleaning", "✓ 2 conversations marked", "prune copies")
	d.Press("2")
	d.Sees("✓ Tidewater")
}
