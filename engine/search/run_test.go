package search_test

import (
	"testing"

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
