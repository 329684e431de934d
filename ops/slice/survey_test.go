package slice_test

import (
	"errors"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/slice"
)

// TestLookSaysWhatWriteCopies: the counts of each conversation are those of the rows that are copied, links to other
// conversations are named, and a conversation that isn't there is an error.
func TestLookSaysWhatWriteCopies(t *testing.T) {
	t.Parallel()
	for _, level := range testlength.Some(append(fakehost.Levels(), fakehost.Beta, fakehost.Fork)) {
		db := testdb.Open(t, testdb.Sample(t, level))
		for _, lineage := range []slice.Lineage{slice.LineageTake, slice.LineageCut} {
			for _, id := range conversations(t, db) {
				r := slice.Request{Conversations: []int64{id}, Lineage: lineage}
				seen, err := slice.Look(t.Context(), db, r)
				if err != nil {
					t.Fatal(level, err)
				}
				out := write(t, db, r)
				sum := map[string]int64{"conversations": int64(len(seen.Parts))}
				for _, p := range seen.Parts {
					sum["messages"] += p.Messages
					sum["summaries"] += p.Summaries
					sum["context_items"] += p.Items
					sum["large_files"] += p.Files
				}
				for table, n := range sum {
					if out.Tables[table] != n {
						t.Errorf("%s: the survey has %d rows of %s and %d are copied", level, n, table, out.Tables[table])
					}
				}
				if len(out.Cut) > 0 != (lineage == slice.LineageCut && len(seen.Crossing) > 0) || len(out.Added)+1 != len(seen.Parts) || len(out.LeftOut) != len(seen.LeftOut) {
					t.Errorf("%s: %+v of %+v", level, seen, out)
				}
			}
		}
		if _, err := slice.Look(t.Context(), db, slice.Request{Conversations: []int64{4711}}); !errors.Is(err, data.ErrNotFound) {
			t.Errorf("%s: %v", level, err)
		}
	}
}
