package search_test

import (
	"strings"
	"testing"
	"time"

	"lcm-tui/engine/search"
	"lcm-tui/internal/testdb"
)

// find runs a query over a file and puts its results together.
func find(t *testing.T, path, query string, o search.Options) (*search.Results, []search.Event) {
	t.Helper()
	db := testdb.Open(t, path)
	results := search.NewResults(o.Sort)
	var events []search.Event
	err := search.Run(t.Context(), db, search.Parse(query, search.ParseOptions{}), o, func(e search.Event) {
		results.Add(e)
		events = append(events, e)
	})
	if err != nil {
		t.Fatalf("search %q: %v", query, err)
	}
	return results, events
}

func TestAWordIsFoundInMessagesNewestFirst(t *testing.T) {
	t.Parallel()
	path := testdb.Fixture(t, "v0.15.3/rich.db")
	results, _ := find(t, path, "migration ledger", search.Options{})
	rows := results.Rows()
	if len(rows) == 0 {
		t.Fatal("nothing found")
	}
	for i, h := range rows {
		if i > 0 && h.At.After(rows[i-1].At.Time) {
			t.Errorf("%s is newer than the row before it", h.ID())
		}
		if len(h.Spans) == 0 || h.Matches == 0 {
			t.Errorf("%s: no match in %q", h.ID(), h.Snippet)
		}
	}
}

// TestPartsThatNobodyAskedForAreReadForSoLong: then the search says how far it came and what searches all, and
// that does. Where nothing is left, or the query asks for parts, it says nothing. Other queries are tried as long, too.
func TestPartsThatNobodyAskedForAreReadForSoLong(t *testing.T) {
	t.Parallel()
	path := testdb.Fixture(t, "v0.15.3/rich.db")
	const text = "ordinals0f4parts"
	execute(t, path, `INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count) VALUES (900000, 1, 900000, 'user', 'later', 1);
		INSERT INTO message_parts (part_id, message_id, session_id, part_type, ordinal, tool_output)
			SELECT 'part-of-old', message_id, 's', 'tool', 900, '`+text+`' FROM messages ORDER BY message_id LIMIT 1`)
	for _, c := range []struct {
		query       string
		limit       time.Duration
		hits, notes int
	}{
		{text, 0, 1, 0},
		{text, time.Hour, 1, 0},
		{text, time.Nanosecond, 0, 2},
		{text + " kind:part", time.Nanosecond, 1, 0},
		{"ledger", time.Nanosecond, -1, 0},
	} {
		results, events := find(t, path, c.query, search.Options{UnaskedTime: c.limit})
		var notes []string
		for _, e := range events {
			if n, is := e.(search.Noted); is {
				notes = append(notes, n.Text)
			}
		}
		if n := len(results.Rows()); c.hits >= 0 && n != c.hits || len(notes) != c.notes {
			t.Errorf("%q for %s: %d hits, notes %q", c.query, c.limit, n, notes)
		}
		for _, n := range notes {
			if !strings.Contains(n, "only the newest") && !strings.Contains(n, "/"+text+"/") || !strings.Contains(n, "kind:part") && !strings.Contains(n, "search for it") {
				t.Errorf("%q doesn't say how to go on", n)
			}
		}
	}
}

// TestHitsAreCountedBeforeTheyAreRead: where the search table and the rows say what is a hit, also under a filter, the
// number is known before more than the first texts are read.
func TestHitsAreCountedBeforeTheyAreRead(t *testing.T) {
	t.Parallel()
	path := testdb.Fixture(t, "v0.15.3/rich.db")
	for _, query := range []string{"the kind:message", "the kind:message role:assistant"} {
		_, events := find(t, path, query, search.Options{})
		hits, total, early := 0, 0, -1
		for _, e := range events {
			switch e := e.(type) {
			case search.Found:
				hits += len(e.Hits)
			case search.Counted:
				if !e.More && early < 0 {
					early = hits
				}
				total = e.Total
			}
		}
		if hits < 200 || total != hits || early > 50 || early < 0 {
			t.Errorf("%s: %d of %d hits were read before their number was known, %d", query, early, hits, total)
		}
	}
}
