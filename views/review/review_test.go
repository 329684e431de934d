package review

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/outcome"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// review opens the review of dissolving the first summary of the demo's first
// conversation.
func review(d *viewtest.Driver) *Review {
	d.T.Helper()
	d.Press("s", "d")
	r, ok := d.App.Top().(*Review)
	if !ok {
		d.T.Fatalf("d opened %T", d.App.Top())
	}
	return r
}

func TestReviewScreen(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	review(d)
	d.Golden()
}

func TestReviewAppliesAndUndoes(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveDemo(t)
	was := d.Dump()
	review(d)
	d.Sees("nothing is written yet", "a apply", "esc leave")
	d.Press("enter")
	d.Sees("enter never applies")
	if got := d.Dump(); got != was {
		t.Fatal("enter wrote")
	}
	d.Press("a")
	d.Sees("applied as #1", "u undo")
	d.Misses("a apply")
	if got := d.Dump(); got == was {
		t.Fatal("a wrote nothing")
	}
	d.Press("a") // Not again.
	d.Press("u")
	d.Sees("#1 is undone")
	if got := d.Dump(); got != was {
		t.Error(cmp.Diff(was, got))
	}
	d.Press("ctrl+r")
	d.Sees("nothing is written yet")
	d.Press("esc")
	if _, ok := d.App.Top().(*Review); ok {
		t.Error("esc doesn't leave")
	}
}

func TestReviewOfAStalePlan(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveDemo(t)
	r := review(d)
	h, err := fakehost.Open(d.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if err := h.Exec("DELETE FROM context_items WHERE conversation_id = ? AND ordinal = 3", r.proposal.plan.Contexts[0].Conversation); err != nil {
		t.Fatal(err)
	}
	was := d.Dump()
	d.Press("a")
	d.Sees("changed since the plan", "ctrl+r plan again")
	if got := d.Dump(); got != was {
		t.Error("a stale plan wrote")
	}
	d.Press("ctrl+r", "a")
	d.Sees("applied as #1")
}

func TestReviewPages(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	r := review(d)
	r.proposal.plan.Texts = []ops.Text{{ID: "sum_1", Before: "We cap the pool at 8 connections.", After: "We cap the pool at 24 connections."}}
	r.proposal.plan.Warn("a warning to read")
	d.Press("2")
	d.Sees("sum_1", "at 8 connections", "at 24 connections")
	d.Press("v")
	d.Sees("− We cap the pool at 8 connections", "+ We cap the pool at 24 connections")
	d.Press("3")
	d.Sees("~ update", "context_items 2/0", "summary_id")
	d.Press("4")
	d.Sees("~ a warning to read", "Notes ~1")
	d.Press("tab")
	d.Sees("− ")
	d.Press("n")
	d.Clean(80, 24)
}

// TestPagesOfAReviewAreClicked: as the tabs of every other screen are.
func TestPagesOfAReviewAreClicked(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.OpenReview()
	for y, l := range strings.Split(d.Screen(120, 36), "\n") {
		if at := strings.Index(l, "3 Rows"); at >= 0 {
			d.Send(tea.MouseClickMsg{X: at, Y: y, Button: tea.MouseLeft})
			break
		}
	}
	d.Sees("~ update")
	if page := d.App.Top().(*Review).page; page != pageRows {
		t.Errorf("page %d is shown", page)
	}
}

// TestTextsAreCopiedAsAPatch: it is a unified diff and nothing else, and there is none where
// no text changes.
func TestTextsAreCopiedAsAPatch(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	r := review(d)
	d.Press("Y")
	if d.Clip != "" {
		t.Errorf("without texts it copied %q", d.Clip)
	}
	r.proposal.plan.Texts = []ops.Text{
		{ID: "sum_1", Before: "one\ntwo\n", After: "one\n2\n"},
		{ID: "sum_2", Before: "its messages\n", After: "new\n", Made: true},
	}
	d.Press("Y")
	want := "--- sum_1\n+++ sum_1\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n--- sum_2\n+++ sum_2\n@@ -0,0 +1 @@\n+new\n"
	if d.Clip != want {
		t.Error(cmp.Diff(want, d.Clip))
	}
}

func TestReviewIsNotBoundOnAReadOnlyFile(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	h, err := fakehost.Open(d.Path)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Exec("CREATE TABLE promoted (id TEXT)"); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	d = viewtest.DriveFile(t, d.Path)
	d.Sees("lossless-claude", "read-only")
	d.Press("s", "d")
	if _, ok := d.App.Top().(*Review); ok {
		t.Error("d works on a file that can't be written")
	}
	d.Misses("d dissolve")
}

// TestReviewTellsThatItIsStale: what another process changed under a plan is said while
// the plan is read, and what it appended elsewhere isn't.
func TestReviewTellsThatItIsStale(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	review(d)
	write := func(statement string) {
		t.Helper()
		h, err := fakehost.Open(d.Path)
		if err == nil {
			err = errors.Join(h.Exec(statement), h.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		d.Send(ui.ChangedMsg{External: true})
	}
	write("UPDATE conversations SET title = 'another' WHERE conversation_id = 1")
	d.Sees("nothing is written yet")
	write("UPDATE context_items SET message_id = (SELECT max(message_id) FROM messages m WHERE m.conversation_id = 2) WHERE conversation_id = 2 AND ordinal = (SELECT max(ordinal) FROM context_items WHERE conversation_id = 2 AND item_type = 'message')")
	write("DELETE FROM context_items WHERE conversation_id = 2 AND ordinal = (SELECT min(ordinal) FROM context_items WHERE conversation_id = 2)")
	d.Sees("the database changed since the plan was made", "ctrl+r plan again")
	d.Misses("a apply")
}

// TestBackupAsksFirst: where a copy goes and how large it is is said before it's made.
func TestBackupAsksFirst(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	copies := func() int {
		found, err := filepath.Glob(d.Path + "*.bak")
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	d.Press(".", "B")
	d.Sees("Back up the database?", ".bak")
	d.Press("esc")
	if n := copies(); n != 0 {
		t.Errorf("%d copies were made before the answer", n)
	}
	d.Press(".", "B", "y")
	d.Sees("backed up and verified")
	if n := copies(); n != 1 {
		t.Errorf("%d copies were made, want 1", n)
	}
}

func TestRowLinesNameWhatDiffers(t *testing.T) {
	t.Parallel()
	s := ui.NewStyles(true)
	got := viewtest.Plain(rowLines(&s, []change.Change{
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
	d := viewtest.DriveDemo(t)
	r := review(d)
	_, changed := outcome.With(t.Context())
	err := fmt.Errorf("write the change: %w", context.Canceled)
	d.Run(r.Update(notWrittenMsg{changed.Explain(err)}))
	d.Sees("cancelled; nothing was written", "a apply")
	d.Misses("context canceled")
	changed.Backup("/there/copy.db")
	d.Run(r.Update(notWrittenMsg{changed.Explain(err)}))
	d.Sees("cancelled; nothing was changed, and the backup that was made before stays: /there/copy.db")
	d.Misses("context canceled")
}

// TestDifferencesAreReadableWithoutColour: lines that differ have a sign in both views,
// and no style reaches over the divider or the end of a line.
func TestDifferencesAreReadableWithoutColour(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	r := review(d)
	long := strings.Repeat("every word of this line is another one ", 6)
	r.proposal.plan.Texts = []ops.Text{{
		ID: "sum_1", Before: "the same\n" + long + "\n[07:49 UTC | user]\nthe end", After: "the same\nin short\n[07:50 UTC | assistant]\nan addition\nthe end",
	}}
	d.Press("2", "v")
	for _, want := range []string{"\n  the same", "\n− every word", "\n+ in short", "\n− [07:49 UTC | user]", "\n+ [07:50 UTC | assistant]", "\n+ an addition", "\n  the end"} {
		if screen := d.Screen(120, 36); !strings.Contains(screen, want) {
			t.Errorf("%q isn't there:\n%s", want, screen)
		}
	}
	d.Press("v", "v")
	d.Sees("− every word", "│ + in short", "− [07:49 UTC | user]", "│ + [07:50 UTC | assistant]", "│ + an addition", "│   the end")
	rows := views.DiffRows(ops.Words(r.proposal.plan.Texts[0].Before, r.proposal.plan.Texts[0].After), d.Env.Styles)
	for _, view := range []string{views.SideBySide(rows, 80, d.Env.Styles), views.Unified(rows, 80, d.Env.Styles)} {
		for line := range strings.Lines(view) {
			open := ""
			for _, code := range viewtest.Sgr.FindAllString(line, -1) {
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
	d := viewtest.DriveDemo(t)
	r := review(d)
	r.proposal.plan.Texts = []ops.Text{{ID: "sum_1", Before: "one\ntwo\nthree\n", After: "1\ntwo\n3\n"}}
	r.proposal.plan.Warn("the first warning")
	r.proposal.plan.Warn("the second warning")
	for page, changes := range map[string]int{"1": 1, "2": 2, "3": len(r.proposal.plan.Changes), "4": 2 + len(r.proposal.plan.Notes)} {
		d.Press(page, "n")
		d.Sees(fmt.Sprintf("change 1 of %d", changes))
		d.Press("N")
		d.Sees(fmt.Sprintf("change %d of %d", changes, changes))
		d.Press("n", "n")
		d.Sees(fmt.Sprintf("change %d of %d", min(2, changes), changes))
	}
	d.Press("3", "n", "n")
	if at := r.present().(*scrollPage).pager.Offset(); at != 1+len(columnLines(r.proposal.plan.Changes[0])) {
		t.Errorf("the second row is on line %d", at)
	}
}

// TestReviewsAreSearched: n and N go from match to match until esc ends the search, and g
// and G to the ends.
func TestReviewsAreSearched(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	r := review(d)
	d.Press("3", "/")
	d.Write("context_items 2/30")
	d.Press("enter")
	d.Sees("context_items 2/30")
	at := r.present().(*scrollPage).pager.Offset()
	d.Press("n")
	if r.present().(*scrollPage).change != -1 || at == 0 {
		t.Errorf("n went to change %d, from line %d", r.present().(*scrollPage).change, at)
	}
	d.Press("esc", "n")
	if r.present().(*scrollPage).change != 0 {
		t.Errorf("n went to change %d", r.present().(*scrollPage).change)
	}
	d.Press("G")
	if r.present().(*scrollPage).pager.Percent() != 100 || r.present().(*scrollPage).pager.Offset() == 0 {
		t.Error("G does not go to the end")
	}
	d.Press("g")
	if r.present().(*scrollPage).pager.Offset() != 0 {
		t.Error("g does not go to the top")
	}
}
