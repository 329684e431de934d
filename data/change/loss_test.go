package change_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/change/losses"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// fold writes a leaf of ours over the messages of some ordinals. Then another program gives the
// items ordinals from 0, as this program doesn't beside a host.
func fold(t *testing.T, h *fakehost.Host, db *data.DB, first, last int) int64 {
	t.Helper()
	record := replaceItems(t, db, fmt.Sprintf("sum_%016x", first*100+last), first, last+1)
	hostRenumbers(t, h)
	return record
}

func findLosses(t *testing.T, db *data.DB) []*losses.Loss {
	t.Helper()
	found, err := losses.Find(t.Context(), db, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestLosses: messages that a compaction begun before our write took out of the context
// are found, in files of every generation.
func TestLosses(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, level := range []fakehost.Level{fakehost.V0_1, fakehost.V0_9, fakehost.V0_13, fakehost.Head, fakehost.Beta} {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			h, db := beside(t, level)
			chosen := choose(t, h, 0, 5)
			record := fold(t, h, db, 0, 7)
			if found := findLosses(t, db); len(found) > 0 {
				t.Fatalf("before the host ends: %v", found[0])
			}
			summary := finish(t, h, chosen)
			found := findLosses(t, db)
			if len(found) != 1 {
				t.Fatalf("%d losses", len(found))
			}
			// Ours stood at 0, and 8 to 12 behind it; the host summarized 0 to 5.
			l := found[0]
			if want := []int64{7, 8, 9, 10, 11, 12, 13}; !slices.Equal(l.Messages, want) || l.Record != record || l.Summary != summary || l.Conversation != 1 {
				t.Errorf("%+v, want messages %v", *l, want)
			}
			if recent, err := losses.Find(t.Context(), db, time.Now().Add(time.Minute)); err != nil || len(recent) > 0 {
				t.Errorf("since a time to come: %d, %v", len(recent), err)
			}
		})
	}
}

// TestNoLoss: what is gone from the context for other reasons isn't lost.
func TestNoLoss(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, do := range map[string]func(t *testing.T, h *fakehost.Host, db *data.DB){
		"a compaction of the host that began after": func(t *testing.T, h *fakehost.Host, db *data.DB) {
			t.Helper()
			fold(t, h, db, 0, 7)
			finish(t, h, choose(t, h, 1, 6))
		},
		"/new, noted": func(t *testing.T, h *fakehost.Host, db *data.DB) {
			t.Helper()
			fold(t, h, db, 0, 7)
			must(t, h.Exec("INSERT INTO conversation_bootstrap_state (conversation_id, session_file_path, last_seen_size, last_seen_mtime_ms, last_processed_offset) VALUES (1, '', 0, 0, 0)"))
			must(t, h.New(1))
			appendOne(t, h)
			finish(t, h, choose(t, h, 0, 0))
		},
		"/new, not noted": func(t *testing.T, h *fakehost.Host, db *data.DB) {
			t.Helper()
			fold(t, h, db, 0, 7)
			must(t, h.New(1))
			appendOne(t, h)
			finish(t, h, choose(t, h, 0, 0))
		},
		"deleted messages": func(t *testing.T, h *fakehost.Host, db *data.DB) {
			t.Helper()
			fold(t, h, db, 0, 7)
			finish(t, h, choose(t, h, 1, 3))
			for _, table := range []string{"context_items", "messages"} {
				must(t, h.Exec("DELETE FROM "+table+" WHERE message_id = 15"))
			}
		},
		"places that the host prunes, without a summary": func(t *testing.T, h *fakehost.Host, db *data.DB) {
			t.Helper()
			fold(t, h, db, 0, 7)
			must(t, h.Exec("DELETE FROM context_items WHERE message_id = 15"))
		},
		"an undo, after which less can be reached": func(t *testing.T, h *fakehost.Host, db *data.DB) {
			t.Helper()
			must(t, h.Exec("DELETE FROM context_items WHERE message_id = 20"))
			items, err := lcm.Context(t.Context(), db, 1)
			must(t, err)
			m, err := lcm.ReadMessage(t.Context(), db, 20)
			must(t, err)
			it := lcm.NewMessageItem(db, lcm.Message{ID: m.ID, Role: m.Role, Seq: m.Seq}, 1, int64(len(items))+3)
			record, err := change.Write(t.Context(), db, change.Batch{Op: "place", Title: "place", Changes: []change.Change{{
				Table: "context_items", Key: []string{"conversation_id", "ordinal"}, After: it.Row(),
			}}})
			must(t, err)
			must(t, change.Undo(t.Context(), db, record))
			hostRenumbers(t, h)
			finish(t, h, choose(t, h, 0, 3))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, db := beside(t, fakehost.Head)
			do(t, h, db)
			for _, l := range findLosses(t, db) {
				t.Errorf("%v: %v", l, l.Messages)
			}
		})
	}
}

func appendOne(t *testing.T, h *fakehost.Host) {
	t.Helper()
	_, err := h.Append(1, fakehost.Message{Role: "user", Content: "a new beginning", At: time.Now().UTC()})
	must(t, err)
}

// TestAloneNothingIsWatched: where no other process has the file open, a record stays as
// small as it was.
func TestAloneNothingIsWatched(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	testdb.WithoutHost(db)
	record := fold(t, h, db, 0, 7)
	r, _, err := change.RecordChanges(t.Context(), db, record)
	if err != nil || string(r.Detail) != "{}" {
		t.Errorf("%s, %v", r.Detail, err)
	}
}

// TestLossSaysWhatToDo: the error names the command that brings the messages back.
func TestLossSaysWhatToDo(t *testing.T) {
	t.Parallel()
	var err error = &losses.Loss{Record: 3, Conversation: 6, Messages: []int64{1, 2}}
	if err.Error() == "" || hint.Of(err) == "" {
		t.Errorf("%v", err)
	}
}

// TestRangesOfMessages: any numbers can be remembered that a file may hold, and a damaged
// record is refused at once.
func TestRangesOfMessages(t *testing.T) {
	t.Parallel()
	for want, ids := range map[string][]int64{
		"":           {},
		"3-5,9":      {9, 5, 3, 4},
		"-7--5,-1-1": {-7, -6, -5, -1, 0, 1},
		"9223372036854775806-9223372036854775807":  {math.MaxInt64, math.MaxInt64 - 1},
		"-9223372036854775808,9223372036854775807": {math.MinInt64, math.MaxInt64},
	} {
		all := map[int64]bool{}
		for _, id := range ids {
			all[id] = true
		}
		if got := change.FormatRanges(all); got != want {
			t.Errorf("%v is %q, want %q", ids, got, want)
		}
		if got, err := change.ParseRanges(want); err != nil || !maps.Equal(got, all) {
			t.Errorf("%q is %v, %v", want, got, err)
		}
	}
	for _, damaged := range []string{"x", "-", "5-", "5-4", "1-9223372036854775807", "-9223372036854775808-9223372036854775807", "--"} {
		if got, err := change.ParseRanges(damaged); err == nil {
			t.Errorf("%q is %d messages", damaged, len(got))
		}
	}
}

// TestASummaryOfOursIsNoHosts: what somebody took out of the context by hand isn't lost to
// a host, though a summary of ours came just then, be it written in parts.
func TestASummaryOfOursIsNoHosts(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, rows := range []int{2000, 4} {
		h, db := beside(t, fakehost.Head)
		db.PartRows = rows
		fold(t, h, db, 0, 7)
		must(t, h.Exec("DELETE FROM context_items WHERE message_id = (SELECT max(message_id) FROM messages)"))
		if found := findLosses(t, db); len(found) > 0 {
			t.Errorf("written %d rows at a time: %v, by %s", rows, found[0], found[0].Summary)
		}
	}
}
