package change_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// crowding adds so many messages with a part each, the last of which comes into the
// context, and a summary of all.
func crowding(t testing.TB, db *data.DB, n int) change.Batch {
	t.Helper()
	ends, err := lcm.ReadNextNumbers(t.Context(), db, 1)
	if err != nil {
		t.Fatal(err)
	}
	const summary = "sum_0123456789abcdef"
	b := change.Batch{Op: "test", Title: "crowd", FirstMessage: ends.Message}
	for i := range int64(n) {
		id := ends.Message + i
		b.Changes = append(b.Changes,
			change.Insert(db, "messages", data.Row{
				"message_id": id, "conversation_id": int64(1), "seq": -1 - i, "role": "user", "content": fmt.Sprint("a quokka ", i),
				"token_count": int64(3), "created_at": "2026-01-01 00:00:00",
			}),
			change.Insert(db, "message_parts", data.Row{
				"part_id": fmt.Sprint("part", i), "message_id": id, "session_id": "s", "part_type": "text", "ordinal": int64(0), "text_content": "a quokka",
			}),
			change.Insert(db, "summary_messages", data.Row{"summary_id": summary, "message_id": id, "ordinal": i}))
	}
	b.Changes = append(b.Changes,
		change.Insert(db, "summaries", data.Row{
			"summary_id": summary, "conversation_id": int64(1), "kind": "leaf", "depth": int64(0), "content": "all of them", "token_count": int64(3),
			"created_at": "2026-01-01 00:00:00", "file_ids": "[]",
		}),
		change.Insert(db, "context_items", data.Row{
			"conversation_id": int64(1), "ordinal": ends.Ordinal, "item_type": "summary", "message_id": nil, "summary_id": summary, "created_at": "2026-01-01 00:00:00",
		}))
	return b
}

// guardsOf returns guards of how many messages and summaries conversation 1 has, as far as its
// newest message.
func guardsOf(t *testing.T, path string) []change.Guard {
	t.Helper()
	count := func(query string) int64 {
		n, err := testdb.Count(path, query)
		if err != nil {
			t.Fatal(err)
		}
		return int64(n)
	}
	of := data.Row{"conversation_id": int64(1)}
	return []change.Guard{
		{
			Table: "messages", Where: of, Count: count("SELECT count(*) FROM messages WHERE conversation_id = 1"),
			UpTo: data.Row{"seq": count("SELECT max(seq) FROM messages WHERE conversation_id = 1")},
		},
		{Table: "summaries", Where: of, Count: count("SELECT count(*) FROM summaries WHERE conversation_id = 1")},
		{Table: "messages", Where: data.Row{"conversation_id": int64(2), "content": "no such text"}},
	}
}

// times counts the transactions of a handle and calls fn at the start of each.
func times(db *data.DB, fn func(n int)) {
	n, now := 0, db.Now
	db.Now = func() time.Time {
		n++
		fn(n)
		return now()
	}
}

// TestALargeBatchIsWrittenInParts, each of which leaves room for others; it is one record,
// and undone as one.
func TestALargeBatchIsWrittenInParts(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	db := open(t, path)
	db.PartRows = 60
	b := crowding(t, db, 200)
	b.Guards = guardsOf(t, path)
	h := host(t, path)
	var work sync.WaitGroup
	var writing atomic.Bool
	during := false
	times(db, func(n int) {
		if n == 4 { // The core and some parts are still to come.
			work.Go(func() {
				if _, err := h.Message(2, fakehost.Message{Role: "user", Content: "the host goes on"}); err != nil {
					t.Error(err)
				}
				during = writing.Load()
			})
		}
	})
	writing.Store(true)
	id, err := change.Write(t.Context(), db, b)
	writing.Store(false)
	if work.Wait(); err != nil || !during {
		t.Fatal(during, err)
	}
	rs, err := change.History(t.Context(), db)
	if err != nil || len(rs) != 1 || rs[0].Title != b.Title {
		t.Errorf("history %+v, %v", rs, err)
	}
	if n := hits(t, path, "messages_fts", "quokka"); n != 200 {
		t.Errorf("%d messages are found", n)
	}
	if _, cs, err := change.RecordChanges(t.Context(), db, id); err != nil || len(cs) < len(b.Changes) {
		t.Errorf("%d changes, %v", len(cs), err)
	}
	if err := change.Undo(t.Context(), db, id); err != nil {
		t.Fatal(err)
	}
	if err := change.Undo(t.Context(), db, id); !errors.Is(err, change.ErrUndone) {
		t.Errorf("undone twice: %v", err)
	}
	for _, q := range []string{
		"SELECT count(*) FROM messages WHERE content LIKE 'a quokka%'", "SELECT count(*) FROM message_parts WHERE part_id LIKE 'part%'",
		"SELECT count(*) FROM summary_messages WHERE summary_id = 'sum_0123456789abcdef'", "SELECT count(*) FROM summaries WHERE summary_id = 'sum_0123456789abcdef'",
		"SELECT count(*) FROM context_items WHERE summary_id = 'sum_0123456789abcdef'", "SELECT 1 - count(*) FROM messages WHERE content = 'the host goes on'",
	} {
		if n, err := testdb.Count(path, q); err != nil || n != 0 {
			t.Errorf("%s: %d, %v", q, n, err)
		}
	}
}

// TestAnUnfinishedWriteIsUndone: cancelled between two parts, or refused at the core,
// a large batch leaves nothing behind.
func TestAnUnfinishedWriteIsUndone(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, spoil := range map[string]func(*data.DB, *change.Batch, context.CancelFunc){
		"cancelled": func(db *data.DB, _ *change.Batch, cancel context.CancelFunc) {
			times(db, func(n int) {
				if n == 3 {
					cancel()
				}
			})
		},
		"refused": func(db *data.DB, b *change.Batch, _ context.CancelFunc) {
			items, _ := lcm.Context(context.Background(), db, 1)
			b.Changes = append(b.Changes, change.Delete(db, "context_items", items[len(items)-1].Row()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := sample(t, fakehost.Head)
			was := dump(t, path)
			db := open(t, path)
			db.PartRows = 60
			db.PartRows = 60
			b := crowding(t, db, 200)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			spoil(db, &b, cancel)
			if _, err := change.Write(ctx, db, b); err == nil {
				t.Fatal("it was written")
			}
			if got := dump(t, path); got != was {
				t.Error(cmp.Diff(was, got))
			}
			if _, err := change.Last(t.Context(), db); !errors.Is(err, change.ErrNoRecord) {
				t.Errorf("a record is left: %v", err)
			}
		})
	}
}

// TestWhatIsNotFinishedCanBeUndone: after the core the rest of the deletions is missing,
// which is said and can be undone.
func TestWhatIsNotFinishedCanBeUndone(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := crowd(t, 200)
	was := dump(t, path)
	db := open(t, path)
	db.PartRows = 60
	b := clearing(t, db)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	times(db, func(n int) {
		if n == 4 {
			cancel()
		}
	})
	var broken *change.UnfinishedError
	if _, err := change.Write(ctx, db, b); !errors.As(err, &broken) || !strings.Contains(broken.Hint(), "then plan it again") {
		t.Fatalf("got %v", err)
	}
	unfinished := func() int {
		t.Helper()
		found, err := change.UnfinishedChanges(t.Context(), open(t, path))
		if err != nil || len(found) > 0 && found[0].Record != broken.Record {
			t.Errorf("%v, %v", found, err)
		}
		return len(found)
	}
	if n := unfinished(); n != 1 {
		t.Errorf("%d unfinished records are reported", n)
	}
	if err := change.Undo(t.Context(), db, broken.Record); err != nil {
		t.Fatal(err)
	}
	if got := dump(t, path); got != was {
		t.Error("undo brought something else back")
	}
	if n := unfinished(); n != 0 {
		t.Errorf("undone, %d unfinished records are reported", n)
	}
}

// TestAnUndoThatFailsTakesNothingOfTheHosts: a context in which a host has compacted isn't
// put back as it was before that. So where the undo fails later, what it did to the
// context stays, rather than that the places of other items are written over.
func TestAnUndoThatFailsTakesNothingOfTheHosts(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	h, db := beside(t, fakehost.Head)
	testdb.WithoutHost(db)
	db.PartRows = 4
	record := replaceItems(t, db, "sum_0123456789abcdef", 2, 10)
	finish(t, h, choose(t, h, 0, 1)) // It renumbers what follows.
	for range 6 {
		appendOne(t, h)
	}
	must(t, h.Exec("UPDATE summaries SET content = 'a better one' WHERE content LIKE 'text of%'"))
	reached := func() int {
		t.Helper()
		n, err := testdb.Count(db.Path(), `WITH RECURSIVE under(id) AS (
			SELECT summary_id FROM context_items UNION SELECT p.parent_summary_id FROM under u JOIN summary_parents p ON p.summary_id = u.id)
			SELECT count(*) FROM messages WHERE message_id IN (SELECT message_id FROM context_items)
			OR message_id IN (SELECT l.message_id FROM summary_messages l JOIN under u ON u.id = l.summary_id)`)
		must(t, err)
		return n
	}
	was := reached()
	var changed *data.StaleError
	if err := change.Undo(t.Context(), db, record); !errors.As(err, &changed) {
		t.Fatal(err)
	}
	if n := reached(); n < was {
		t.Errorf("%d of %d messages can be reached", n, was)
	}
	if found, err := change.UnfinishedChanges(t.Context(), db); err != nil || len(found) != 1 || found[0].Record != record {
		t.Errorf("that it is half undone isn't reported: %v, %v", found, err)
	}
	must(t, h.Exec("UPDATE summaries SET content = 'text of sum_0123456789abcdef' WHERE content = 'a better one'"))
	must(t, change.Undo(t.Context(), db, record))
	if n := reached(); n < was {
		t.Errorf("undone, %d of %d messages can be reached", n, was)
	}
}

// TestAPanicLeavesNothing in any step of any part, as any other failure does; where the core is written,
// the error names the record, which can be undone.
func TestAPanicLeavesNothing(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for at, reached := 1, true; reached; at++ {
		path := sample(t, fakehost.Head)
		was := dump(t, path)
		db := open(t, path)
		db.PartRows = 40
		b := crowding(t, db, 25)
		reached = false
		n := 0
		db.Step = func(step string) {
			if step == "committed" {
				return
			}
			if n++; n == at {
				reached = true
				panic("out of range")
			}
		}
		_, err := change.Write(t.Context(), db, b)
		if (err == nil) == reached {
			t.Fatalf("step %d: %v", at, err)
		}
		var unfinished *change.UnfinishedError
		if errors.As(err, &unfinished) {
			must(t, change.Undo(t.Context(), db, unfinished.Record))
		}
		if got := dump(t, path); reached && got != was {
			t.Errorf("step %d: %v\n%s", at, err, cmp.Diff(was, got))
		}
	}
}
