package search_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/data/textsearch"
	"lcm-tui/engine/search"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestTheFirstOfManyMessagesComeInOrder: with ranges of times the first hits come before all are counted, and all come in the same order
// as without, whatever the order of their times.
func TestTheFirstOfManyMessagesComeInOrder(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	random := rand.New(rand.NewPCG(1, 2))
	for name, minute := range map[string]func(i int) int{
		"rising":        func(i int) int { return i },
		"equal":         func(i int) int { return i / 100 },
		"imported last": func(i int) int { return (i + 1000) % 3000 },
		"two at once":   func(i int) int { return i%1500*2 + i/1500 },
		"few back":      func(i int) int { return i - 500*(i%7/6)*(i%11/10) },
		"at random":     func(int) int { return random.IntN(3000) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Sample(t, "0.15.2")
			var rows strings.Builder
			for i := range 3000 {
				at := start.Add(time.Duration(minute(i)) * time.Minute).Format("2006-01-02 15:04:05")
				if i == 2990 {
					at = "at noon"
				}
				fmt.Fprintf(&rows, "INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count, created_at) VALUES (%d, 1, %d, 'user', 'a quokka %d', 3, '%s');", 100_000+i, 100_000+i, i, at)
			}
			execute(t, path, "BEGIN;"+rows.String()+"INSERT INTO messages_fts (rowid, content) SELECT message_id, content FROM messages WHERE message_id >= 100000; COMMIT")
			runs, err := textsearch.ExactTimeRuns(t.Context(), testdb.Open(t, path), 5000)
			if err != nil || len(runs) == 0 {
				t.Fatalf("%d ranges, %v", len(runs), err)
			}
			for _, sort := range []search.Sort{search.Newest, search.Oldest} {
				for _, query := range []string{"quokka", "quokka role:user before:2026-01-02T20:00"} {
					want, _ := messagesOf(t, path, query, search.Options{Sort: sort, Ordered: true})
					got, first := messagesOf(t, path, query, search.Options{Sort: sort, Ordered: true, Runs: runs})
					if !slices.Equal(got, want) || len(want) < 400 {
						t.Errorf("%s %s: %d hits, want %d, or another order", sort, query, len(got), len(want))
					}
					if isFast := first < len(want); name == "rising" && query == "quokka" && !isFast {
						t.Errorf("%s: all %d were counted before the first hit", sort, first)
					}
				}
			}
		})
	}
}

// messagesOf returns the messages that a search finds, and how many it knew of when the first was found.
func messagesOf(t *testing.T, path, query string, o search.Options) (ids []int64, known int) {
	t.Helper()
	_, events := find(t, path, query, o)
	total := 0
	for _, e := range events {
		switch e := e.(type) {
		case search.Counted:
			total = e.Total
		case search.Found:
			if len(ids) == 0 {
				known = total
			}
			for _, h := range e.Hits {
				ids = append(ids, h.Message)
			}
		}
	}
	return ids, known
}

// TestExactTimeRuns: a message that is older than the one before it begins a range, and too many ranges are none.
func TestExactTimeRuns(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, importedFile(t))
	runs, err := textsearch.ExactTimeRuns(t.Context(), db, 100)
	if err != nil || len(runs) != 2 {
		t.Fatalf("%+v, %v; want two ranges", runs, err)
	}
	if few, err := textsearch.ExactTimeRuns(t.Context(), db, 1); err != nil || few != nil {
		t.Errorf("%+v, %v; want no ranges", few, err)
	}
}
