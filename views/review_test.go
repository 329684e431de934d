package views

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/ops"
	"lcm-tui/ui"
)

// review opens the review of dissolving the first summary of the demo's first
// conversation.
func (d *driver) review() *Review {
	d.t.Helper()
	d.press("s", "d")
	r, ok := d.app.Top().(*Review)
	if !ok {
		d.t.Fatalf("d opened %T", d.app.Top())
	}
	return r
}

func TestReviewScreen(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.review()
	d.golden()
}

func TestReviewAppliesAndUndoes(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	was := d.dump()
	d.review()
	d.sees("nothing is written yet", "a apply", "esc leave")
	d.press("enter")
	d.sees("enter never applies")
	if got := d.dump(); got != was {
		t.Fatal("enter wrote")
	}
	d.press("a")
	d.sees("applied as #1", "u undo")
	d.misses("a apply")
	if got := d.dump(); got == was {
		t.Fatal("a wrote nothing")
	}
	d.press("a") // Not again.
	d.press("u")
	d.sees("#1 is undone")
	if got := d.dump(); got != was {
		t.Error(cmp.Diff(was, got))
	}
	d.press("P")
	d.sees("nothing is written yet")
	d.press("esc")
	if _, ok := d.app.Top().(*Review); ok {
		t.Error("esc doesn't leave")
	}
}

func TestReviewOfAStalePlan(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	r := d.review()
	h, err := fakehost.Open(d.path)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if err := h.Exec("DELETE FROM context_items WHERE conversation_id = ? AND ordinal = 3", r.plan.Contexts[0].Conversation); err != nil {
		t.Fatal(err)
	}
	was := d.dump()
	d.press("a")
	d.sees("changed since the plan", "P plan again")
	if got := d.dump(); got != was {
		t.Error("a stale plan wrote")
	}
	d.press("P", "a")
	d.sees("applied as #1")
}

func TestReviewPages(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	r := d.review()
	r.plan.Texts = []ops.Text{{ID: "sum_1", Before: "We cap the pool at 8 connections.", After: "We cap the pool at 24 connections."}}
	r.plan.Warn("a warning to read")
	d.press("2")
	d.sees("sum_1", "at 8 connections", "at 24 connections")
	d.press("v")
	d.sees("− We cap the pool at 8 connections", "+ We cap the pool at 24 connections")
	d.press("3")
	d.sees("~ update", "context_items 2/0", "summary_id")
	d.press("4")
	d.sees("~ a warning to read", "Notes ~1")
	d.press("tab")
	d.sees("− ")
	d.press("n")
	d.clean(80, 24)
}

// TestTextsAreCopiedAsAPatch: it is a unified diff and nothing else, and there is none where
// no text changes.
func TestTextsAreCopiedAsAPatch(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	r := d.review()
	d.press("Y")
	if d.clip != "" {
		t.Errorf("without texts it copied %q", d.clip)
	}
	r.plan.Texts = []ops.Text{
		{ID: "sum_1", Before: "one\ntwo\n", After: "one\n2\n"},
		{ID: "sum_2", Before: "its messages\n", After: "new\n", Made: true},
	}
	d.press("Y")
	want := "--- sum_1\n+++ sum_1\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n--- sum_2\n+++ sum_2\n@@ -0,0 +1 @@\n+new\n"
	if d.clip != want {
		t.Error(cmp.Diff(want, d.clip))
	}
}

func TestReviewIsNotBoundOnAReadOnlyFile(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	h, err := fakehost.Open(d.path)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Exec("CREATE TABLE promoted (id TEXT)"); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	d = driveFile(t, d.path)
	d.sees("lossless-claude", "read-only")
	d.press("s", "d")
	if _, ok := d.app.Top().(*Review); ok {
		t.Error("d works on a file that can't be written")
	}
	d.misses("d dissolve")
}

// TestReviewTellsThatItIsStale: what another process changed under a plan is said while
// the plan is read, and what it appended elsewhere isn't.
func TestReviewTellsThatItIsStale(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.review()
	write := func(statement string) {
		t.Helper()
		h, err := fakehost.Open(d.path)
		if err == nil {
			err = errors.Join(h.Exec(statement), h.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		d.send(ui.ChangedMsg{External: true})
	}
	write("UPDATE conversations SET title = 'another' WHERE conversation_id = 1")
	d.sees("nothing is written yet")
	write("UPDATE context_items SET message_id = (SELECT max(message_id) FROM messages m WHERE m.conversation_id = 2) WHERE conversation_id = 2 AND ordinal = (SELECT max(ordinal) FROM context_items WHERE conversation_id = 2 AND item_type = 'message')")
	write("DELETE FROM context_items WHERE conversation_id = 2 AND ordinal = (SELECT min(ordinal) FROM context_items WHERE conversation_id = 2)")
	d.sees("the database changed since the plan was made", "P plan again")
	d.misses("a apply")
}

// TestBackupAsksFirst: where a copy goes and how large it is is said before it's made.
func TestBackupAsksFirst(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	copies := func() int {
		found, err := filepath.Glob(d.path + "*.bak")
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	d.press("B")
	d.sees("Back up the database?", ".bak")
	d.press("esc")
	if n := copies(); n != 0 {
		t.Errorf("%d copies were made before the answer", n)
	}
	d.press("B", "y")
	d.sees("backed up and verified")
	if n := copies(); n != 1 {
		t.Errorf("%d copies were made, want 1", n)
	}
}

func TestRowLinesNameWhatDiffers(t *testing.T) {
	t.Parallel()
	s := ui.NewStyles(true)
	got := plain(rowLines(&s, []change.Change{
		{Table: "t", Key: []string{"id"}, Before: data.Row{"id": int64(1), "a": "x", "b": nil}, After: data.Row{"id": int64(1), "a": "y\x1b[31m", "b": nil}},
		{Table: "t", Key: []string{"id"}, Before: data.Row{"id": int64(2), "a": []byte("xyz")}},
	}))
	want := "~ update t 1\n      a                 x → y␛[31m\n− delete t 2\n      a                 3 B of binary\n      id                2\n"
	if got != want {
		t.Error(cmp.Diff(want, got))
	}
}

// TestACancelledApplyIsNoError: what was cancelled before it was written says so, and
// names what stays.
func TestACancelledApplyIsNoError(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	r := d.review()
	d.run(r.Update(notWrittenMsg{fmt.Errorf("write the change: %w", context.Canceled)}))
	d.sees("cancelled: nothing was written", "a apply")
	d.misses("context canceled")
	d.run(r.Update(notWrittenMsg{&ops.UnwrittenError{Backup: "/there/copy.db", Err: context.Canceled}}))
	d.sees("cancelled: nothing was written; the backup that was made before stays: /there/copy.db")
	d.misses("context canceled")
}

// TestDifferencesAreReadableWithoutColour: lines that differ have a sign in both views,
// and no style reaches over the divider or the end of a line.
func TestDifferencesAreReadableWithoutColour(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	r := d.review()
	long := strings.Repeat("every word of this line is another one ", 6)
	r.plan.Texts = []ops.Text{{
		ID: "sum_1", Before: "the same\n" + long + "\n[07:49 UTC | user]\nthe end", After: "the same\nin short\n[07:50 UTC | assistant]\nan addition\nthe end",
	}}
	d.press("2", "v")
	for _, want := range []string{"\n  the same", "\n− every word", "\n+ in short", "\n− [07:49 UTC | user]", "\n+ [07:50 UTC | assistant]", "\n+ an addition", "\n  the end"} {
		if screen := d.screen(120, 36); !strings.Contains(screen, want) {
			t.Errorf("%q isn't there:\n%s", want, screen)
		}
	}
	d.press("v", "v")
	d.sees("− every word", "│ + in short", "− [07:49 UTC | user]", "│ + [07:50 UTC | assistant]", "│ + an addition", "│   the end")
	rows := diffRows(ops.Words(r.plan.Texts[0].Before, r.plan.Texts[0].After), d.env.Styles)
	for _, view := range []string{sideBySide(rows, 80, d.env.Styles), unified(rows, 80, d.env.Styles)} {
		for line := range strings.Lines(view) {
			open := ""
			for _, code := range sgr.FindAllString(line, -1) {
				if open = code; code == "\x1b[m" || code == "\x1b[0m" {
					open = ""
				}
			}
			if left, _, ok := strings.Cut(line, "│"); open != "" || ok && strings.Count(left, "\x1b[")%2 != 1 {
				t.Errorf("a style reaches beyond its place: %q", line)
			}
		}
	}
}

// TestChangesAreGoneThroughOnEveryPage: n and N go around, and say how far they are.
func TestChangesAreGoneThroughOnEveryPage(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	r := d.review()
	r.plan.Texts = []ops.Text{{ID: "sum_1", Before: "one\ntwo\nthree\n", After: "1\ntwo\n3\n"}}
	r.plan.Warn("the first warning")
	r.plan.Warn("the second warning")
	for page, changes := range map[string]int{"1": 1, "2": 2, "3": len(r.plan.Changes), "4": 2 + len(r.plan.Notes)} {
		d.press(page, "n")
		d.sees(fmt.Sprintf("change 1 of %d", changes))
		d.press("N")
		d.sees(fmt.Sprintf("change %d of %d", changes, changes))
		d.press("n", "n")
		d.sees(fmt.Sprintf("change %d of %d", min(2, changes), changes))
	}
	d.press("3", "n", "n")
	if at := r.pager().Offset(); at != 1+len(columnLines(r.plan.Changes[0])) {
		t.Errorf("the second row is on line %d", at)
	}
}

// TestReviewsAreSearched: n and N go from match to match until esc ends the search, and g
// and G to the ends.
func TestReviewsAreSearched(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	r := d.review()
	d.press("3", "/")
	d.write("context_items 2/30")
	d.press("enter")
	d.sees("context_items 2/30")
	at := r.pager().Offset()
	d.press("n")
	if r.change != -1 || at == 0 {
		t.Errorf("n went to change %d, from line %d", r.change, at)
	}
	d.press("esc", "n")
	if r.change != 0 {
		t.Errorf("n went to change %d", r.change)
	}
	d.press("G")
	if r.pager().Percent() != 100 || r.pager().Offset() == 0 {
		t.Error("G does not go to the end")
	}
	d.press("g")
	if r.pager().Offset() != 0 {
		t.Error("g does not go to the top")
	}
}
