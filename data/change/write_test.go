package change_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

func TestWriteRecordsAndUndoRestores(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	was := dump(t, path)
	db := open(t, path)
	id, err := change.Write(t.Context(), db, retitle(t, db, "a new title"))
	if err != nil {
		t.Fatal(err)
	}
	if got := dump(t, path); got == was {
		t.Error("nothing was written")
	}
	rs, err := change.History(t.Context(), db)
	if err != nil || len(rs) != 1 || rs[0].ID != id || rs[0].Undone() {
		t.Fatalf("history %+v, %v", rs, err)
	}
	if err := change.Undo(t.Context(), db, id); err != nil {
		t.Fatal(err)
	}
	if got := dump(t, path); got != was {
		t.Error(cmp.Diff(was, got))
	}
	if _, err := change.Last(t.Context(), db); !errors.Is(err, change.ErrNoRecord) || !strings.Contains(err.Error(), fmt.Sprintf("record %d is undone already", id)) {
		t.Errorf("last: %v", err)
	}
	if err := change.Undo(t.Context(), db, 99); !errors.Is(err, data.ErrNotFound) {
		t.Errorf("undo of a record that isn't there: %v", err)
	}
}

// TestWhatIsWrittenIsInTheFile: once the handle is closed a copy of the file alone
// holds it, unless somebody else has the file open.
func TestWhatIsWrittenIsInTheFile(t *testing.T) {
	t.Parallel()
	for name, shared := range map[string]bool{"alone": false, "beside a host": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := sample(t, fakehost.Head)
			if shared {
				h := host(t, path)
				defer h.Close()
				if _, err := h.Conversation(fakehost.Conversation{SessionID: "another"}); err != nil {
					t.Fatal(err)
				}
			}
			db, err := data.Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := change.Write(t.Context(), db, retitle(t, db, "a new title")); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(path + "-wal"); os.IsNotExist(err) == shared {
				t.Errorf("the -wal: %v", err)
			}
		})
	}
}

// TestSearchFollowsTheRows: the three search tables are in step after a write and
// as they were after its undo.
func TestSearchFollowsTheRows(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	was := dump(t, path)
	db := open(t, path)
	b := change.Batch{Op: "test", Title: "rewrite"}
	for _, c := range []struct {
		table, key string
		text       string
	}{{"summaries", "summary_id", "quokka und 袋鼠测试文字"}, {"messages", "message_id", "a message about wombats"}} {
		rows, err := data.Images(t.Context(), db, c.table, data.Row{"conversation_id": int64(1)})
		if err != nil || len(rows) == 0 {
			t.Fatal(err)
		}
		after := data.Row{}
		for k, v := range rows[0] {
			after[k] = v
		}
		after["content"] = c.text
		b.Changes = append(b.Changes, change.Change{Table: c.table, Key: []string{c.key}, Before: rows[0], After: after})
	}
	id, err := change.Write(t.Context(), db, b)
	if err != nil {
		t.Fatal(err)
	}
	for table, term := range map[string]string{"summaries_fts": "quokka", "summaries_fts_cjk": "袋鼠测试", "messages_fts": "wombats"} {
		if n := hits(t, path, table, term); n != 1 {
			t.Errorf("%s finds %q %d times", table, term, n)
		}
	}
	if err := change.Undo(t.Context(), db, id); err != nil {
		t.Fatal(err)
	}
	if got := dump(t, path); got != was {
		t.Error(cmp.Diff(was, got))
	}
}

func hits(t *testing.T, path, table, term string) int {
	t.Helper()
	n, err := testdb.Count(path, "SELECT count(*) FROM "+table+" WHERE "+table+" MATCH ?", `"`+term+`"`)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestStaleRowsAndGuardsWriteNothing(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	db := open(t, path)
	b := retitle(t, db, "mine")
	h := host(t, path)
	if err := h.Exec("UPDATE conversations SET title = 'theirs' WHERE conversation_id = 1"); err != nil {
		t.Fatal(err)
	}
	was := dump(t, path)
	var stale *data.StaleError
	if _, err := change.Write(t.Context(), db, b); !errors.As(err, &stale) || !strings.Contains(err.Error(), "conversations 1") {
		t.Errorf("a changed row: %v", err)
	}
	b = retitle(t, db, "mine")
	b.Guards = []change.Guard{{Table: "messages", Where: data.Row{"conversation_id": int64(1)}, Count: 1}}
	if _, err := change.Write(t.Context(), db, b); !errors.As(err, &stale) {
		t.Errorf("a guard: %v", err)
	}
	if got := dump(t, path); got != was {
		t.Error(cmp.Diff(was, got))
	}
}

// TestNothingGoesUnseen: a delete that would take other rows with it by a
// foreign key's cascade is refused, since the record wouldn't have them.
func TestNothingGoesUnseen(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	was := dump(t, path)
	db := open(t, path)
	ms, err := lcm.Messages(t.Context(), db, 1, lcm.Page{Limit: 1, Clip: 10})
	if err != nil || len(ms) != 1 {
		t.Fatal(err)
	}
	rows, err := data.Images(t.Context(), db, "messages", data.Row{"message_id": ms[0].ID})
	if err != nil {
		t.Fatal(err)
	}
	items, err := data.Images(t.Context(), db, "context_items", data.Row{"message_id": ms[0].ID})
	if err != nil {
		t.Fatal(err)
	}
	b := change.Batch{Op: "test", Forgets: true, Changes: []change.Change{change.Delete(db, "context_items", items[0]), change.Delete(db, "messages", rows[0])}}
	var broken *data.InvariantError
	if _, err := change.Write(t.Context(), db, b); !errors.As(err, &broken) {
		t.Errorf("got %v", err)
	}
	if got := dump(t, path); got != was {
		t.Error(cmp.Diff(was, got))
	}
}

// TestCoverageNeverShrinks: a context item that is all that leads to messages
// can't be deleted unless the plan says so.
func TestCoverageNeverShrinks(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	db := open(t, path)
	items, err := lcm.Context(t.Context(), db, 1)
	if err != nil || len(items) < 2 {
		t.Fatal(err)
	}
	last := items[len(items)-1]
	b := change.Batch{Op: "test", Changes: []change.Change{change.Delete(db, "context_items", last.Row())}}
	var broken *data.InvariantError
	if _, err := change.Write(t.Context(), db, b); !errors.As(err, &broken) || !strings.Contains(err.Error(), "reached") {
		t.Errorf("got %v", err)
	}
	b.Forgets = true
	if _, err := change.Write(t.Context(), db, b); err != nil {
		t.Errorf("a plan that says so: %v", err)
	}
	b = change.Batch{Op: "test", Forgets: true, Changes: []change.Change{change.Delete(db, "context_items", items[0].Row())}}
	if _, err := change.Write(t.Context(), db, b); err != nil {
		t.Errorf("a gap: %v", err)
	}
}

func TestLockedIsReportedAfterABoundedWait(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := sample(t, fakehost.Head)
	db := open(t, path)
	b := retitle(t, db, "x")
	h := host(t, path)
	release := make(chan struct{})
	locked := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = h.Tx(func(h *fakehost.Writer) error {
			err := h.Exec("UPDATE conversations SET title = 'held' WHERE conversation_id = 1")
			close(locked)
			<-release
			return errors.Join(err, errors.New("roll back"))
		})
	})
	<-locked
	db.Holders = func(string) filesystem.Holders {
		return filesystem.Holders{Known: true, Names: []string{"node (process 7)"}}
	}
	db.Wait = 500 * time.Millisecond
	var notes []string
	_, err := change.Write(data.ReportWaits(t.Context(), func(_, _ int, note string) { notes = append(notes, note) }), db, b)
	close(release)
	wg.Wait()
	if diff := cmp.Diff([]string{"waiting for another program's lock: node (process 7) has the file open"}, notes); diff != "" {
		t.Errorf("while it waited: %s", diff)
	}
	var e *data.Error
	if !errors.Is(err, data.ErrLocked) || !errors.As(err, &e) || !strings.Contains(e.Hint(), "500ms") {
		t.Errorf("got %v", err)
	}
	if _, err := change.Write(t.Context(), db, b); err != nil {
		t.Errorf("when it is free again: %v", err)
	}
}

func TestAWaitingWriteCanBeCancelled(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	db := open(t, path)
	db.Wait = time.Hour
	b := retitle(t, db, "x")
	h := host(t, path)
	ctx, cancel := context.WithCancel(t.Context())
	err := h.Tx(func(h *fakehost.Writer) error {
		if err := h.Exec("UPDATE conversations SET title = 'held' WHERE conversation_id = 1"); err != nil {
			return err
		}
		time.AfterFunc(20*time.Millisecond, cancel)
		_, err := change.Write(ctx, db, b)
		if err == nil || ctx.Err() == nil {
			t.Errorf("got %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFullDiskWritesNothing(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	was := dump(t, path)
	db := open(t, path)
	limitPages(db, 1)
	b := retitle(t, db, strings.Repeat("x", 1<<20))
	if _, err := change.Write(t.Context(), db, b); !errors.Is(err, data.ErrFull) {
		t.Errorf("got %v", err)
	}
	if got := dump(t, path); got != was {
		t.Error(cmp.Diff(was, got))
	}
}

func TestReadOnlyFileIsRefused(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	db := open(t, path)
	if _, err := change.Write(t.Context(), db, retitle(t, db, "x")); !errors.Is(err, data.ErrReadOnly) {
		t.Errorf("got %v", err)
	}
}

// TestTwoProgramsAndAHost: two handles and a host write at once; all of it is there.
func TestTwoProgramsAndAHost(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := sample(t, fakehost.Head)
	h := host(t, path)
	const each = 20
	conv := make([]int64, 3)
	for i := range conv {
		id, err := h.Conversation(fakehost.Conversation{SessionID: fmt.Sprint("s", i), SessionKey: fmt.Sprint("agent:x:", i), Active: true})
		if err != nil {
			t.Fatal(err)
		}
		conv[i] = id
	}
	var wg sync.WaitGroup
	for i := range 2 {
		db := open(t, path)
		wg.Go(func() {
			for n := range each {
				rows, err := data.Images(t.Context(), db, "conversations", data.Row{"conversation_id": conv[i]})
				if err != nil || len(rows) != 1 {
					t.Error(err)
					return
				}
				after := data.Row{"conversation_id": conv[i], "title": fmt.Sprint(n)}
				before := data.Row{"conversation_id": conv[i], "title": rows[0]["title"]}
				b := change.Batch{Op: "test", Changes: []change.Change{{Table: "conversations", Key: []string{"conversation_id"}, Before: before, After: after}}}
				if _, err := change.Write(t.Context(), db, b); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range each {
		if _, err := h.Message(conv[2], fakehost.Message{Role: "user", Content: "meanwhile"}); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
	db := open(t, path)
	rs, err := change.History(t.Context(), db)
	if err != nil || len(rs) != 2*each {
		t.Errorf("%d records, %v", len(rs), err)
	}
	stats, err := lcm.ReadStats(t.Context(), db, conv[2])
	if err != nil || stats.Messages != each {
		t.Errorf("%d messages, %v", stats.Messages, err)
	}
}
