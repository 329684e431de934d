package search_test

import (
	"slices"
	"testing"

	"lcm-tui/engine/search"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// found returns the ids of the hits of a kind.
func found(t *testing.T, path, query string, o search.Options, kind search.Kind) (ids []string) {
	t.Helper()
	err := search.Run(t.Context(), testdb.Open(t, path), search.Parse(query, search.ParseOptions{}), o, func(e search.Event) {
		if f, is := e.(search.Found); is {
			for _, h := range f.Hits {
				if h.Kind == kind {
					ids = append(ids, h.ID())
				}
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// TestAWholeSearchFindsWhatTheSearchTablesFind and what they would find, were they in step: of messages and of
// summaries.
func TestAWholeSearchFindsWhatTheSearchTablesFind(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Sample(t, fakehost.Head)
	for _, kind := range []search.Kind{search.MessageKind, search.SummaryKind} {
		some := 0
		for _, query := range queries {
			usual, whole := found(t, path, query, search.Options{}, kind), found(t, path, query, search.Options{Whole: true}, kind)
			if !slices.Equal(usual, whole) {
				t.Errorf("%s: the search finds %v, and a whole one %v", query, usual, whole)
			}
			some += len(whole)
		}
		if some == 0 {
			t.Errorf("no query finds a %s", kind)
		}
	}
	before := found(t, path, "ledger", search.Options{Whole: true}, search.MessageKind)
	execute(t, path, "DELETE FROM messages_fts")
	if after := found(t, path, "ledger", search.Options{Whole: true}, search.MessageKind); len(before) == 0 || !slices.Equal(before, after) {
		t.Errorf("with an empty search table it finds %v, not %v", after, before)
	}
}

// TestAWholeSearchReadsPartsAndEndsAtNoNumber: also the parts of messages, where messages have the text too, and
// more than a search keeps.
func TestAWholeSearchReadsPartsAndEndsAtNoNumber(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	execute(t, path, `UPDATE message_parts SET tool_output = 'a pelican' WHERE rowid = (SELECT max(rowid) FROM message_parts);
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10040)
		INSERT INTO messages (conversation_id, seq, role, content, token_count) SELECT 1, 100000 + i, 'user', 'pelican ' || i, 3 FROM n`)
	if n := len(found(t, path, "pelican", search.Options{Whole: true}, search.MessageKind)); n != 10040 {
		t.Errorf("it finds %d messages", n)
	}
	if n := len(found(t, path, "pelican", search.Options{Whole: true}, search.PartKind)); n != 1 {
		t.Errorf("it finds %d parts", n)
	}
}
