package home_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/testhome"
	"lcm-tui/ops"
)

// begun makes empty conversations in a home, with numbers from 1.
func begun(t testing.TB, db *data.DB, n int) {
	t.Helper()
	var b change.Batch
	b.Op, b.Title = "backfill", "begin"
	for id := range n {
		b.Changes = append(b.Changes, change.Insert(db, "conversations", data.Row{
			"conversation_id": int64(id + 1), "session_id": fmt.Sprint("session-", id), "active": int64(1), "created_at": db.FormatNow(), "updated_at": db.FormatNow(),
		}))
	}
	if _, err := change.Write(t.Context(), db, b); err != nil {
		t.Fatal(err)
	}
}

// appended is the batch that appends a message to a conversation that ends there.
func appended(db *data.DB, conversation int64, text string, ends lcm.NextNumbers) change.Batch {
	row := data.Row{
		"message_id": ends.Message, "conversation_id": conversation, "seq": ends.Seq, "role": "user", "content": text, "token_count": int64(9), "created_at": db.FormatNow(),
	}
	item := data.Row{
		"conversation_id": conversation, "ordinal": ends.Ordinal, "item_type": "message", "message_id": ends.Message, "summary_id": nil, "created_at": db.FormatNow(),
	}
	return change.Batch{
		Op: "backfill", Title: "append", FirstMessage: ends.Message, Bulk: true,
		Changes: []change.Change{change.Insert(db, "messages", row), change.Insert(db, "context_items", item)},
	}
}

// appendMessage appends a message to a conversation, and plans again where others wrote since. It returns how often it did.
func appendMessage(ctx context.Context, db *data.DB, conversation int64, text string) (again int, err error) {
	for {
		ends, err := lcm.ReadNextNumbers(ctx, db, conversation)
		if err != nil {
			return again, err
		}
		_, err = change.Write(ctx, db, appended(db, conversation, text, ends))
		var stale *data.StaleError
		var broken *data.InvariantError // The ends were those of two moments.
		if !errors.As(err, &stale) && !errors.As(err, &broken) && !errors.Is(err, data.ErrLocked) {
			return again, err
		}
		again++
	}
}

// appendAtEnd appends a message to a conversation wherever that ends when it is written.
func appendAtEnd(ctx context.Context, db *data.DB, conversation int64, text string) error {
	b := appended(db, conversation, text, lcm.NextNumbers{Message: 1, Seq: 1})
	b.AtEnd = true
	_, err := change.Write(ctx, db, b)
	return err
}

// compactOnce compacts the oldest messages of a conversation.
func compactOnce(ctx context.Context, db *data.DB, conversation int64) error {
	o := compaction(conversation)
	p, err := o.Plan(ctx, db, noReport)
	if err != nil {
		return err
	}
	_, err = ops.Apply(ctx, db, p)
	return err
}

// checkWhole fails unless every text is stored once, and nothing is wrong with the conversations.
func checkWhole(t testing.TB, db *data.DB, texts map[string]bool) {
	t.Helper()
	found := map[string]int{}
	err := data.Each(t.Context(), db, "read", "SELECT content FROM messages", nil, func(scan data.RowScanner) error {
		var text string
		err := scan(&text)
		found[text]++
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for text := range texts {
		if found[text] != 1 {
			t.Errorf("%q is stored %d times", text, found[text])
		}
		delete(found, text)
	}
	if len(found) > 0 {
		t.Errorf("stored though it failed: %v", found)
	}
	d, err := integrity.Check(t.Context(), db, integrity.Request{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range d.Findings {
		if f.Severity == integrity.Fatal || f.Severity == integrity.Error {
			t.Errorf("%+v", f)
		}
	}
}

// TestAppendersAndCompactors: eight programs append to two conversations, half of them wherever these end, and two compact them. No
// message is lost, stored twice or out of its context.
func TestAppendersAndCompactors(t *testing.T) {
	t.Parallel()
	appenders, each := 8, often(3, 25)
	address := testhome.New(t)
	begun(t, testhome.Open(t, address), 2)
	var writers, compactors sync.WaitGroup
	var again, compacted, conflicts atomic.Int64
	texts := sync.Map{}
	ended := make(chan struct{})
	for n := range appenders {
		db := testhome.Open(t, address)
		writers.Go(func() {
			for i := range each {
				text := fmt.Sprintf("message %d of %d", i, n)
				texts.Store(text, true)
				if n >= appenders/2 {
					if err := appendAtEnd(t.Context(), db, int64(n%2+1), text); err != nil {
						t.Errorf("append at the end: %v", err)
					}
					continue
				}
				tries, err := appendMessage(t.Context(), db, int64(n%2+1), text)
				if again.Add(int64(tries)); err != nil {
					t.Errorf("append: %v", err)
				}
			}
		})
	}
	for n := range 2 {
		db := testhome.Open(t, address)
		compactors.Go(func() {
			for {
				select {
				case <-ended:
					return
				case <-time.After(time.Millisecond):
				}
				var stale *data.StaleError
				switch err := compactOnce(t.Context(), db, int64(n+1)); {
				case err == nil:
					compacted.Add(1)
				case errors.As(err, &stale), errors.Is(err, data.ErrLocked):
					conflicts.Add(1)
				case !errors.Is(err, ops.ErrNothing):
					t.Errorf("compact: %v", err)
				}
			}
		})
	}
	writers.Wait()
	close(ended)
	compactors.Wait()
	want := map[string]bool{}
	texts.Range(func(text, _ any) bool { want[text.(string)] = true; return true })
	checkWhole(t, testhome.Open(t, address), want)
	checkWords(t, "appenders and compactors", address)
	t.Logf("%d messages, planned again %d times; %d compactions, %d of them planned again", len(want), again.Load(), compacted.Load(), conflicts.Load())
	if compacted.Load() == 0 {
		t.Error("nothing was compacted")
	}
}

// TestConversationsAreLockedInOneOrder: plans that change the same two conversations, in opposite orders, never wait for each other
// in a circle, and one that changes another conversation doesn't wait at all.
func TestConversationsAreLockedInOneOrder(t *testing.T) {
	t.Parallel()
	address := testhome.New(t)
	begun(t, testhome.Open(t, address), 3)
	retitle := func(db *data.DB, title string, ids ...int64) error {
		var b change.Batch
		b.Op, b.Title = "repair", title
		for _, id := range ids {
			row := data.Row{"conversation_id": id, "title": nil}
			err := data.Each(t.Context(), db, "read", "SELECT title FROM conversations WHERE conversation_id = ?", []any{id}, func(scan data.RowScanner) error {
				var title any
				err := scan(&title)
				row["title"] = title
				return err
			})
			if err != nil {
				return err
			}
			b.Changes = append(b.Changes, change.Update(db, "conversations", row, data.Row{"title": title}))
		}
		_, err := change.Write(t.Context(), db, b)
		var stale *data.StaleError
		if errors.As(err, &stale) {
			return nil
		}
		return err
	}
	var all sync.WaitGroup
	began := time.Now()
	for n := range 4 {
		db := testhome.Open(t, address)
		all.Go(func() {
			for i := range 4 {
				ids := []int64{1, 2}
				if n%2 == 1 {
					ids = []int64{2, 1}
				}
				if err := retitle(db, fmt.Sprint(n, i), ids...); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if d := time.Since(began); d > 15*time.Second {
		t.Errorf("it took %v: the server ended circles", d)
	}
	holder, other := testhome.Open(t, address), testhome.Open(t, address)
	other.Wait = 0
	err := holder.Transact(t.Context(), data.Transaction{Verb: "hold", Conversations: []int64{1}}, func(*data.Tx) error {
		if err := retitle(other, "free", 3); err != nil {
			t.Errorf("another conversation: %v", err)
		}
		if err := retitle(other, "held", 1); !errors.Is(err, data.ErrLocked) {
			t.Errorf("the same conversation: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
