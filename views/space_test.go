package views

import (
	"context"
	"testing"

	"lcm-tui/internal/testdb"
	"lcm-tui/ops/space"
	"lcm-tui/ui"
)

func TestSpaceOfTheDemonstration(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.press("z")
	d.goldens()
}

// TestSpaceOpensDownToAMessage: from a table to its conversations, to the largest messages of
// one, to the message in its conversation; esc goes back the same way.
func TestSpaceOpensDownToAMessage(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.press("z")
	d.sees("1 Tables", "message_parts", "once reclaimed")
	d.press("enter")
	d.sees("Space › message_parts", "INC-81: search is slow")
	d.press("enter")
	d.sees("the largest messages", "in its row and its parts")
	d.goldens()
	d.press("enter")
	if _, ok := d.app.Top().(*Messages); !ok {
		t.Fatalf("a message opens %T", d.app.Top())
	}
	d.press("esc")
	d.sees("the largest messages")
	d.press("esc")
	d.sees("Space › message_parts", "INC-81: search is slow")
	d.press("esc", "esc")
	if _, ok := d.app.Top().(*Conversations); !ok {
		t.Fatalf("esc ends at %T", d.app.Top())
	}
}

// TestSpaceGroupsByEverything: each tab has rows, and tab goes through all of them.
func TestSpaceGroupsByEverything(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.press("z")
	for i, want := range []string{"messages_fts", "INC-81: search is slow", "main", "telegram", "2026-0", "message_parts: text", "reclaim", "messages_fts"} {
		if i > 0 {
			d.press("tab")
		}
		d.sees(want)
	}
	for _, k := range []string{"3", "4", "5", "6"} {
		d.press(k, "enter")
		d.misses("there is nothing of the kind")
		if n := len(d.app.Top().(*Space).levels); n != 1 {
			t.Errorf("%d levels are open after %s enter", n, k)
		}
	}
}

// TestSpaceShowsWhatIsMeasuredSoFar: numbers are drawn while the measuring goes on, and stay when
// it is cancelled.
func TestSpaceShowsWhatIsMeasuredSoFar(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	db := testdb.Open(t, d.path)
	var first *space.Report
	_, err := space.Read(t.Context(), db, space.Folders{}, func(r *space.Report) {
		if first == nil {
			first = r
		}
	})
	if err != nil || first == nil {
		t.Fatal("no report came before the whole one", err)
	}
	d.press("z")
	v := d.app.Top().(*Space)
	v.report, v.running = nil, &spaceReading{}
	v.running.put(first)
	d.sees("message_parts", "measuring 0%")
	d.misses("once reclaimed")
	v.failed(ui.FailedMsg{Name: "measure", Err: context.Canceled})
	d.sees("message_parts", "not all is measured: the measuring was cancelled")
	d.press("m")
	d.sees("once reclaimed")
	d.misses("not all is measured")
}

// TestMarkedConversationsAreReviewedTogether: marks limit what each way of cleaning is about, and
// enter shows the conversations that would change before anything is written.
func TestMarkedConversationsAreReviewedTogether(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.press("z", "7")
	d.sees("prune copies", "prune conversations")
	d.press("2", "space", "space", "P")
	d.sees("✓ 2 conversations marked", "prune copies")
	d.misses("prune conversations")
	d.press("down", "enter")
	if _, ok := d.app.Top().(*Review); !ok {
		t.Fatalf("a lever opens %T", d.app.Top())
	}
	d.sees("drop copies of texts (conversations 2, 8)", "of 2 conversations", "nothing is written yet", "message_parts 29", "→ ")
	d.goldens()
	d.press("a")
	d.sees("applied as #1")
	d.press("u")
	for range 3 {
		if _, ok := d.app.Top().(*Space); !ok {
			d.press("esc")
		}
	}
	d.press("2")
	d.sees("✓")
	d.press("U")
	d.misses("✓")
}

// TestConversationsAreMarkedInTheirList: the marks are those of the screen of what fills the file.
func TestConversationsAreMarkedInTheirList(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.press("P")
	if _, ok := d.app.Top().(*Conversations); !ok {
		t.Fatal("without marks P opens something")
	}
	d.press("space", "space")
	d.sees("✓ Tidewater")
	d.press("P")
	d.sees("7 Cleaning", "✓ 2 conversations marked", "prune copies")
	d.press("2")
	d.sees("✓ Tidewater")
}
