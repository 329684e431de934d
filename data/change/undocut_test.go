package change_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// imported writes a batch of an import into a new conversation: messages with a part and a context
// item each. It returns the record.
func imported(t *testing.T, db *data.DB, n int) int64 {
	t.Helper()
	b := change.Batch{Op: "backfill", Title: "import", Bulk: true, Changes: []change.Change{
		change.Insert(db, "conversations", data.Row{"conversation_id": int64(7), "session_id": "s7", "active": int64(1), "created_at": "2026-01-01 00:00:00", "updated_at": "2026-01-01 00:00:00"}),
	}}
	for i := range int64(n) {
		id := 1000 + i
		b.Changes = append(b.Changes,
			change.Insert(db, "messages", newMessage(id, data.Row{"conversation_id": int64(7), "seq": i, "content": fmt.Sprint("a quokka ", i)})),
			change.Insert(db, "message_parts", data.Row{
				"part_id": fmt.Sprint("part", i), "message_id": id, "session_id": "s7", "part_type": "text", "ordinal": int64(0), "text_content": "a quokka",
			}),
			change.Insert(db, "context_items", data.Row{
				"conversation_id": int64(7), "ordinal": i, "item_type": "message", "message_id": id, "summary_id": nil, "created_at": "2026-01-01 00:00:00",
			}))
	}
	record, err := change.Write(t.Context(), db, b)
	must(t, err)
	return record
}

// count returns the number that a query finds.
func count(t *testing.T, path, query string) int {
	t.Helper()
	n, err := testdb.Count(path, query)
	must(t, err)
	return n
}

// TestALargeImportIsUndoneInTurns of few rows each, and leaves nothing behind.
func TestALargeImportIsUndoneInTurns(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := sample(t, fakehost.Head)
	was := dump(t, path)
	db := open(t, path)
	record := imported(t, db, 100)
	db.PartRows = 60
	turns := 0
	db.Step = func(step string) {
		if step == "committed" {
			turns++
		}
	}
	must(t, change.Undo(t.Context(), db, record))
	if got := dump(t, path); got != was {
		t.Error(cmp.Diff(was, got))
	}
	if n := hits(t, path, "messages_fts", "quokka"); n != 0 || turns < 5 {
		t.Errorf("%d messages are found after %d turns", n, turns)
	}
	if err := change.Undo(t.Context(), db, record); !errors.Is(err, change.ErrUndone) {
		t.Errorf("undone twice: %v", err)
	}
	if found, err := change.UnfinishedChanges(t.Context(), db); err != nil || len(found) != 0 {
		t.Errorf("%v, %v", found, err)
	}
}

// TestALargeUndoIsRefusedBeforeItsFirstTurn where any of its rows has changed, or another one names them.
func TestALargeUndoIsRefusedBeforeItsFirstTurn(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, edit := range map[string]string{
		"changed": "UPDATE messages SET content = 'other words' WHERE message_id = 1000",
		"part":    "UPDATE message_parts SET text_content = 'other words' WHERE part_id = 'part3'",
		"gone":    "DELETE FROM message_parts WHERE part_id = 'part5'",
		"named":   "INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count) VALUES (5000, 7, 500, 'user', 'later', 1)",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, db := beside(t, fakehost.Head)
			record := imported(t, db, 100)
			db.PartRows = 60
			must(t, h.Exec(edit))
			was := dump(t, db.Path())
			if err := change.Undo(t.Context(), db, record); err == nil {
				t.Error("it was undone")
			}
			if got := dump(t, db.Path()); got != was {
				t.Error(cmp.Diff(was, got))
			}
			if found, err := change.UnfinishedChanges(t.Context(), db); err != nil || len(found) != 0 {
				t.Errorf("%v, %v", found, err)
			}
		})
	}
}

// TestALargeUndoThatIsKilled at any step of any turn leaves a beginning of the conversation, which nothing in a
// context leads to, and says so; another undo finishes it.
func TestALargeUndoThatIsKilled(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, at := range []string{"begun 1", "made 1", "committed 1", "made 2", "committed 2", "rows 3", "made 4", "committed 4", "committed 5"} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			path := sample(t, fakehost.Head)
			was := dump(t, path)
			imported(t, open(t, path), 100)
			written := dump(t, path)
			step, number, _ := strings.Cut(at, " ")
			n, err := strconv.Atoi(number)
			must(t, err)
			killAt(t, path, "undoparts", step, n)
			if rows := count(t, path, "SELECT count(*) FROM pragma_foreign_key_check"); rows != 0 {
				t.Errorf("%d rows name what isn't there", rows)
			}
			if left := count(t, path, "SELECT count(*) FROM messages WHERE conversation_id = 7"); left > 0 &&
				left != 1+count(t, path, "SELECT max(seq) FROM messages WHERE conversation_id = 7") {
				t.Errorf("%d messages aren't the first ones", left)
			}
			db := open(t, path)
			found, err := change.UnfinishedChanges(t.Context(), db)
			if got := dump(t, path); err != nil || (len(found) == 1) != (got != written && got != was) {
				t.Errorf("unfinished are %v, %v", found, err)
			}
			r, err := change.Last(t.Context(), db)
			must(t, err)
			must(t, change.Undo(t.Context(), db, r.ID))
			if got := dump(t, path); got != was {
				t.Error(cmp.Diff(was, got))
			}
		})
	}
}

// TestALargeUndoThatIsRefusedLater says that it isn't finished, since the record keeps only digests; once nothing
// is in the way, another undo goes on.
func TestALargeUndoThatIsRefusedLater(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	h, db := beside(t, fakehost.Head)
	was := dump(t, db.Path())
	record := imported(t, db, 100)
	db.PartRows = 60
	turns := 0
	db.Step = func(step string) {
		if step != "committed" {
			return
		}
		if turns++; turns == 2 {
			must(t, h.Exec("INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count) VALUES (5000, 7, 500, 'user', 'later', 1)"))
		}
	}
	var unfinished *change.UnfinishedError
	if err := change.Undo(t.Context(), db, record); !errors.As(err, &unfinished) || unfinished.Record != record {
		t.Fatalf("got %v", err)
	}
	found, err := change.UnfinishedChanges(t.Context(), db)
	must(t, err)
	for _, u := range append(found, unfinished) {
		for _, hint := range []string{u.Hint(), u.ScreenHint()} {
			if len(found) != 1 || !strings.Contains(hint, "again") || strings.Contains(hint, "plan") {
				t.Errorf("%d are unfinished; the hint is %q", len(found), hint)
			}
		}
	}
	if r, err := change.Last(t.Context(), db); err != nil || !r.HalfUndone() {
		t.Errorf("%+v, %v", r, err)
	}
	if n := count(t, db.Path(), "SELECT count(*) FROM messages WHERE message_id = 5000"); n != 1 {
		t.Error("the later message is gone")
	}
	must(t, h.Exec("DELETE FROM messages WHERE message_id = 5000"))
	must(t, change.Undo(t.Context(), db, record))
	if got := dump(t, db.Path()); got != was {
		t.Error(cmp.Diff(was, got))
	}
}

// TestAnUnfinishedRecordSaysBothFailuresApart: why the write failed, and why its undo did.
func TestAnUnfinishedRecordSaysBothFailuresApart(t *testing.T) {
	t.Parallel()
	undone := errors.New("undo: the disk is full")
	for _, undo := range []error{undone, &change.UnfinishedError{Record: 7, Err: undone, HalfUndone: true}} {
		err := &change.UnfinishedError{Record: 7, Err: errors.Join(errors.New("write: the disk is full"), undo)}
		if got := err.Error(); got != "record 7 is not finished: write: the disk is full; undo: the disk is full" {
			t.Errorf("it says %q", got)
		}
	}
}

// TestOnAFullDiskSpaceIsFreedFirst: an undo, and the same command again, need it too.
func TestOnAFullDiskSpaceIsFreedFirst(t *testing.T) {
	t.Parallel()
	full := fmt.Errorf("write: %w", data.ErrFull)
	for _, err := range []error{
		&change.UnfinishedError{Record: 7, Err: full}, &change.UnfinishedError{Record: 7, Err: full, HalfUndone: true}, &change.StoppedError{Record: 7, Err: full},
	} {
		onScreen, _ := err.(interface{ ScreenHint() string })
		for _, next := range []string{hint.Of(err), onScreen.ScreenHint()} {
			if !strings.HasPrefix(next, "free some space first; ") {
				t.Errorf("%v: %s", err, next)
			}
		}
	}
}
