package change_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/outcome"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// blankingTexts returns a set that makes the texts of messages empty, so many in a turn.
func blankingTexts(each int) change.SetWrite {
	w := change.SetWrite{Op: "test", Title: "blank texts", Detail: json.RawMessage(`{"kept":1}`)}
	w.Write = func(ctx context.Context, t *change.Turn) (bool, error) {
		var ids []int64
		query := "SELECT message_id FROM messages WHERE content <> 'blank' ORDER BY message_id LIMIT ?"
		err := t.EachRow(ctx, query, []any{each}, func(scan data.RowScanner) error {
			ids = append(ids, 0)
			return scan(&ids[len(ids)-1])
		})
		for _, id := range ids {
			if _, err := t.Exec(ctx, "UPDATE messages SET content = 'blank' WHERE message_id = ?", id); err != nil {
				return false, err
			}
		}
		if err == nil {
			err = t.Note(ctx, ids)
		}
		t.Progress(t.Done()+int64(len(ids)), 10, "messages")
		return len(ids) < each, err
	}
	return w
}

func TestSetIsWrittenInTurns(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	out, err := change.WriteSet(t.Context(), db, blankingTexts(3))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := testdb.Count(path, "SELECT count(*) FROM messages WHERE content <> 'blank'"); err != nil || n != 0 {
		t.Errorf("%d messages have a text, %v", n, err)
	}
	r, changes, err := change.RecordChanges(t.Context(), db, out.Record)
	if err != nil || r.Title != "blank texts" || r.Unfinished || len(changes) > 0 {
		t.Errorf("the record is %+v with %d changes, %v", r, len(changes), err)
	}
	notes := 0
	err = change.SetNotes(t.Context(), db, out.Record, func(json.RawMessage) error { notes++; return nil })
	if turns, _ := testdb.Count(path, "SELECT count(*) FROM messages"); err != nil || notes != turns/3+1 {
		t.Errorf("%d notes of %d messages, %v", notes, turns, err)
	}
}

func TestStoppedSetSaysHowFarItIsAndGoesOn(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	ctx, cancel := context.WithCancel(t.Context())
	w := blankingTexts(3)
	w.Report = func(done, _ int, _ string) {
		if done == 6 {
			cancel()
		}
	}
	_, err := change.WriteSet(ctx, db, w)
	var stopped *change.StoppedError
	if !errors.As(err, &stopped) || stopped.Done != 6 || !errors.Is(err, context.Canceled) {
		t.Fatalf("the write ended with %v", err)
	}
	r, _, err := change.RecordChanges(t.Context(), db, stopped.Record)
	var detail struct {
		Kept     int
		Progress struct{ Done int }
	}
	if err := json.Unmarshal(r.Detail, &detail); err != nil || !r.Unfinished || detail.Progress.Done != 6 || detail.Kept != 1 {
		t.Errorf("the record is %+v, %v", r, err)
	}
	if n, _ := testdb.Count(path, "SELECT count(*) FROM messages WHERE content = 'blank'"); err != nil || n != 6 {
		t.Errorf("%d texts are blank, %v", n, err)
	}
	if _, err := change.WriteSet(t.Context(), db, blankingTexts(3)); err != nil {
		t.Error(err)
	}
	if n, err := testdb.Count(path, "SELECT count(*) FROM messages WHERE content <> 'blank'"); err != nil || n != 0 {
		t.Errorf("after the second run %d messages have a text, %v", n, err)
	}
}

// TestStoppedSetOffersAnUndoOnlyWhereThereIsOne: the undo of a record that stopped halfway goes on with the same command,
// and what has no undo doesn't offer one.
func TestStoppedSetOffersAnUndoOnlyWhereThereIsOne(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	whole, err := change.WriteSet(t.Context(), db, blankingTexts(3))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		record int64
		noUndo bool
		offers bool
	}{
		{"a set", 0, false, true},
		{"the undo of a set", whole.Record, false, false},
		{"a set without an undo", 0, true, false},
	} {
		w := blankingTexts(3)
		w.Record, w.NoUndo = c.record, c.noUndo
		turns := 0
		w.Write = func(_ context.Context, turn *change.Turn) (bool, error) {
			if turns++; turns == 2 {
				return false, errors.New("no more")
			}
			turn.Progress(1, 2, "rows")
			return false, nil
		}
		_, err := change.WriteSet(t.Context(), db, w)
		var stopped *change.StoppedError
		if !errors.As(err, &stopped) {
			t.Fatalf("%s: it ended with %v", c.name, err)
		}
		for _, next := range []string{stopped.Hint(), stopped.ScreenHint()} {
			if strings.Contains(next, "undo ") != c.offers || !strings.Contains(next, "for the rest") {
				t.Errorf("%s: the next step is %q", c.name, next)
			}
		}
	}
}

func TestFailedFirstTurnLeavesNothing(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	before := testdb.Dump(t, path)
	db := testdb.Open(t, path)
	w := blankingTexts(3)
	w.Write = func(ctx context.Context, t *change.Turn) (bool, error) {
		_, err := t.Exec(ctx, "DELETE FROM no_such_table")
		return false, err
	}
	_, err := change.WriteSet(t.Context(), db, w)
	var stopped *change.StoppedError
	if err == nil || errors.As(err, &stopped) {
		t.Errorf("the write ended with %v", err)
	}
	if testdb.Dump(t, path) != before {
		t.Error("the file changed")
	}
}

func TestConversationGuardSeesWhatChanged(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, c := range []struct {
		name, change    string
		strict, appends bool // Whether each kind of guard notices it.
	}{
		{"nothing", "SELECT 1", false, false},
		{"a new message", "INSERT INTO messages (conversation_id, seq, role, content, token_count, identity_hash) VALUES (1, 9999, 'user', 'x', 1, 'h')", true, false},
		{"a deleted message", "DELETE FROM messages WHERE message_id = (SELECT min(message_id) FROM messages WHERE conversation_id = 1)", true, true},
		{"another count of tokens", "UPDATE messages SET token_count = token_count + 1 WHERE message_id = (SELECT min(message_id) FROM messages WHERE conversation_id = 1)", true, true},
		{"updated_at", "UPDATE conversations SET updated_at = '2031-01-01 00:00:00'", true, false},
		{"archived", "UPDATE conversations SET active = 1 - active", true, true},
		{"another key", "UPDATE conversations SET session_key = 'other:' || conversation_id", true, true},
	} {
		path := testdb.Sample(t, fakehost.Head)
		db := testdb.Open(t, path)
		strict, err := change.GuardConversation(t.Context(), db, 1, false)
		appends, err2 := change.GuardConversation(t.Context(), db, 1, true)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		execute(t, path, "PRAGMA foreign_keys = 0", c.change)
		var stale *data.StaleError
		if err := change.CheckConversations(t.Context(), db, []change.ConversationGuard{strict}); errors.As(err, &stale) != c.strict {
			t.Errorf("%s: the guard of a whole conversation says %v", c.name, err)
		}
		if err := change.CheckConversations(t.Context(), db, []change.ConversationGuard{appends}); errors.As(err, &stale) != c.appends {
			t.Errorf("%s: the guard that allows new messages says %v", c.name, err)
		}
	}
}

// TestASetThatFailedInItsFirstTurnWroteNothing: and that is said.
func TestASetThatFailedInItsFirstTurnWroteNothing(t *testing.T) {
	t.Parallel()
	ctx, changed := outcome.With(t.Context())
	_, err := change.WriteSet(ctx, testdb.Open(t, testdb.Sample(t, fakehost.Head)), change.SetWrite{Op: "prune", Write: func(context.Context, *change.Turn) (bool, error) {
		return false, data.ErrFull
	}})
	if got := changed.Explain(err).Error(); !errors.Is(err, data.ErrFull) || !strings.HasSuffix(got, "; nothing was written") {
		t.Errorf("it says %q", got)
	}
}

// TestWhatATurnPreparesWithoutTheLockIsNotWaitedForAgain: a pause is for the time in which others couldn't write. A second turn
// begins that soon after the first, however long its files took.
func TestWhatATurnPreparesWithoutTheLockIsNotWaitedForAgain(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	synctest.Test(t, func(t *testing.T) {
		db := testdb.Open(t, path)
		w, turns := blankingTexts(3), 0
		w.Prepare = func(context.Context) error {
			turns++
			time.Sleep(time.Hour) // It passes at once.
			return nil
		}
		began := time.Now()
		if _, err := change.WriteSet(t.Context(), db, w); err != nil {
			t.Fatal(err)
		}
		if most := time.Duration(turns)*time.Hour + 30*time.Minute; turns < 2 || time.Since(began) > most {
			t.Errorf("%d turns took %s, not less than %s", turns, time.Since(began), most)
		}
	})
}
