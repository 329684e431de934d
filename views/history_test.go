package views

import (
	"errors"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/ui"
)

// TestHistoryUndoesAndRedoes: both go through the review, where each offers the other.
func TestHistoryUndoesAndRedoes(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	was := d.dump()
	d.press("H")
	d.sees("nothing was written")
	d.press("esc")
	d.review()
	d.press("a", "enter", "esc", "H")
	d.sees("#1", "applied", "dissolve sum_", "~ ")
	changed := d.dump()
	d.press("u")
	d.sees("Review", "nothing is written yet")
	d.press("4")
	d.sees("undo #1: dissolve", "back to what they were")
	if got := d.dump(); got != changed {
		t.Error("u undid it without a look")
	}
	d.press("a")
	d.sees("#1 is undone", "U redo")
	if got := d.dump(); got != was {
		t.Error(cmp.Diff(was, got))
	}
	d.press("enter")
	d.sees("undone")
	d.misses("u undo")
	d.press("U")
	d.sees("redo #1: dissolve", "nothing is written yet", "rows ")
	if got := d.dump(); got != was {
		t.Error("U redid it without a look")
	}
	d.press("a")
	d.sees("applied as #2", "u undo")
	if got := d.dump(); got != changed {
		t.Error(cmp.Diff(changed, got))
	}
	d.press("u")
	d.sees("#2 is undone", "U redo")
	d.press("U")
	d.sees("redo #2: dissolve", "nothing is written yet")
	d.press("a")
	d.sees("applied as #3")
	d.press("enter")
	d.sees("redone as #2", "redone as #3", "#3 applied")
	d.misses("U redo")
}

// TestRedoOfWhatMovedIsRefusedOnTheScreen: the row that changed since is named.
func TestRedoOfWhatMovedIsRefusedOnTheScreen(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.review()
	d.press("a", "u", "enter", "esc", "H")
	h, err := fakehost.Open(d.path)
	if err == nil {
		err = errors.Join(h.Exec("DELETE FROM context_items WHERE summary_id IN (SELECT summary_id FROM summaries WHERE depth > 0)"), h.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	d.press("U")
	d.sees("the database changed since", "item")
}

// TestHistorySaysWhatWasDone: rows are counted in words, and of those that an import added
// the record keeps only the keys.
func TestHistorySaysWhatWasDone(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	db := d.env.DB
	p := ops.New("import", "import a session file")
	p.Bulk = true
	for _, id := range []int64{90001, 90002, 90003} {
		p.Changes = append(p.Changes, change.Insert(db, "messages", data.Row{
			"message_id": id, "conversation_id": int64(1), "seq": id, "role": "user", "content": "x", "token_count": int64(1), "created_at": "2026-01-01 00:00:00",
		}))
	}
	record, err := ops.Apply(t.Context(), db, p)
	if err != nil {
		t.Fatal(err)
	}
	_, cs, err := change.RecordChanges(t.Context(), db, record)
	if err != nil {
		t.Fatal(err)
	}
	styles := ui.NewStyles(true)
	if got, want := ansi.Strip(changeLines(&styles, cs)), "+ 3 messages added  90001 … 90003\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	rows := ansi.Strip(rowLines(&styles, cs))
	if strings.Contains(rows, "$") || !strings.Contains(rows, "the record keeps only its key") {
		t.Errorf("row by row: %s", rows)
	}
	d.press("H")
	d.sees("3 messages added", "the record keeps only its key")
	d.press("u", "a")
	d.sees("#1 is undone")
	d.press("U")
	d.sees("can't be redone", "import the session file again")
}

// TestUndoSaysThatPendingBatchesStayStale: a host that is about to publish must not find them
// active again. An undo from the history says so too.
func TestUndoSaysThatPendingBatchesStayStale(t *testing.T) {
	t.Parallel()
	for name, undo := range map[string][]string{
		"from the review":  {"u"},
		"from the history": {"enter", "esc", "H", "u", "a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := driveFile(t, testdb.Fixture(t, "v1.0/small.db"))
			d.open(1, tabSummaries)
			d.press("d", "a")
			d.sees("applied as #1")
			d.press(undo...)
			d.sees("#1 is undone: 1 pending batch stays stale, the rest is as it was")
		})
	}
}
