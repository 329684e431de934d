package review

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
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// TestHistoryUndoesAndRedoes: both go through the review, where each offers the other.
func TestHistoryUndoesAndRedoes(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	was := d.Dump()
	d.Press("H")
	d.Sees("nothing was written")
	d.Press("esc")
	review(d)
	d.Press("a", "enter", "esc", "H")
	d.Sees("#1", "applied", "dissolve sum_", "~ ")
	changed := d.Dump()
	d.Press("u")
	d.Sees("Review", "nothing is written yet")
	d.Press("4")
	d.Sees("undo #1: dissolve", "back to what they were")
	if got := d.Dump(); got != changed {
		t.Error("u undid it without a look")
	}
	d.Press("a")
	d.Sees("#1 is undone", "U redo")
	if got := d.Dump(); got != was {
		t.Error(cmp.Diff(was, got))
	}
	d.Press("enter")
	d.Sees("undone")
	d.Misses("u undo")
	d.Press("U")
	d.Sees("redo #1: dissolve", "nothing is written yet", "rows ")
	if got := d.Dump(); got != was {
		t.Error("U redid it without a look")
	}
	d.Press("a")
	d.Sees("applied as #2", "u undo")
	if got := d.Dump(); got != changed {
		t.Error(cmp.Diff(changed, got))
	}
	d.Press("u")
	d.Sees("#2 is undone", "U redo")
	d.Press("U")
	d.Sees("#2 is redone as #3", "u undo")
	if got := d.Dump(); got != changed {
		t.Error(cmp.Diff(changed, got))
	}
	d.Press("u", "U", "enter")
	d.Sees("redone as #2", "redone as #3", "redone as #4", "#4 applied")
	d.Misses("U redo")
}

// TestRedoOfWhatMovedIsRefusedOnTheScreen: the row that changed since is named.
func TestRedoOfWhatMovedIsRefusedOnTheScreen(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	review(d)
	d.Press("a", "u", "enter", "esc", "H")
	h, err := fakehost.Open(d.Path)
	if err == nil {
		err = errors.Join(h.Exec("DELETE FROM context_items WHERE summary_id IN (SELECT summary_id FROM summaries WHERE depth > 0)"), h.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	d.Press("U")
	d.Sees("the database changed since", "item")
}

// TestHistorySaysWhatWasDone: rows are counted in words, and of those that an import added
// the record keeps only the keys.
func TestHistorySaysWhatWasDone(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	db := d.Env.DB
	p := ops.New("backfill", "import a session file")
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
	d.Press("H")
	d.Sees("3 messages added", "the record keeps only its key")
	d.Press("u", "a")
	d.Sees("#1 is undone", "enter close")
	const why = "U does nothing here: its session file is imported again instead"
	for _, key := range []string{"", "enter"} {
		if key != "" {
			d.Press(key)
		}
		d.Misses("U redo")
		d.Press("U")
		d.Sees(why)
	}
}

// TestReplacedSecretsAreNotUndoneFromTheHistory: the record keeps no copy of them, and its state stands in its row in full.
func TestReplacedSecretsAreNotUndoneFromTheHistory(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveDemo(t)
	h, err := fakehost.Open(d.Path)
	testdb.Must(t, err)
	testdb.Must(t, h.Exec("UPDATE messages SET content = content || ? WHERE message_id = 120", "\nsee postgres://app:"+strings.Join([]string{"tr7k", "q2mz", "9w"}, "")+"@db.internal/app"))
	testdb.Must(t, h.Close())
	d.Press("p", "ctrl+x", "r", "e", "p", "l", "a", "c", "e", "enter", "esc", "H")
	d.Sees("#1 pages not rewritten", "replace 1 secret by placeholders")
	d.Misses("u undo")
	d.Misses("row by row")
	d.Press("u")
	d.Sees("u does nothing here: it replaced secrets, and keeps no copy of them")
}

// TestWhatAHostDecidesIsNotRedoneFromTheHistory: on files of 1.0 a change of a session is planned again.
func TestWhatAHostDecidesIsNotRedoneFromTheHistory(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Beta)
	db := d.Env.DB
	rows, err := data.Images(t.Context(), db, "conversations", data.Row{"conversation_id": int64(1)})
	testdb.Must(t, err)
	record, err := change.Write(t.Context(), db, change.Batch{
		Op: "key rename", Title: "rename a session key", Changes: []change.Change{change.Update(db, "conversations", rows[0], data.Row{"title": "renamed"})},
	})
	testdb.Must(t, err)
	testdb.Must(t, change.Undo(t.Context(), db, record))
	d.Press("H")
	d.Sees("#1", "undone")
	d.Misses("U redo")
	d.Press("U")
	d.Sees("U does nothing here: a change of a session is planned again instead")
}

// TestUndoSaysThatPendingBatchesStayStale: a host that is about to publish must not find them
// active again. An undo from the history says so too.
func TestUndoSaysThatPendingBatchesStayStale(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, undo := range map[string][]string{
		"from the review":  {"u"},
		"from the history": {"enter", "esc", "H", "u", "a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := viewtest.DriveFile(t, testdb.Fixture(t, "v1.0/small.db"))
			d.Open(1, views.TabSummaries)
			d.Press("d", "a")
			d.Sees("applied as #1")
			d.Press(undo...)
			d.Sees("#1 is undone: 1 pending batch stays stale, the rest is as it was")
		})
	}
}

// TestImportsOfASessionAreOneLine: a session that was followed turn by turn is one line, which names each import; u
// undoes the newest.
func TestImportsOfASessionAreOneLine(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	for i := range 3 {
		db := d.Env.DB
		rows, err := data.Images(t.Context(), db, "conversations", data.Row{"conversation_id": int64(1)})
		testdb.Must(t, err)
		_, err = change.Write(t.Context(), db, change.Batch{
			Op: "follow", Title: "import " + views.Itoa(int64(i+2)) + " messages of a.jsonl into conversation 1",
			Changes: []change.Change{change.Update(db, "conversations", rows[0], data.Row{"title": views.Itoa(int64(i))})},
		})
		testdb.Must(t, err)
	}
	d.Press("H")
	d.Sees("#3", "import 9 messages in 3 ")
	d.Press("enter")
	d.Sees("earlier #2 import 3 messages of a.jsonl", "#1 import 2 messages of a.jsonl")
}
