package retrieve_test

import (
	"cmp"
	"slices"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/retrieve"
	"lcm-tui/internal/testdb"
)

// benchSummaries returns leaves of the file, and summaries of its greatest depth.
func benchSummaries(b *testing.B, db *data.DB) (leaves, tops []string) {
	b.Helper()
	all, err := lcm.SummariesByPrefix(b.Context(), db, "sum_", 1_000_000)
	if err != nil || len(all) == 0 {
		b.Skip("there are no summaries", err)
	}
	deepest := slices.MaxFunc(all, func(x, y lcm.Summary) int { return cmp.Compare(x.Depth, y.Depth) }).Depth
	for _, s := range all {
		if s.Depth == 0 {
			leaves = append(leaves, s.ID)
		}
		if s.Depth == deepest {
			tops = append(tops, s.ID)
		}
	}
	return leaves, tops
}

func BenchmarkDescribe(b *testing.B) {
	db := testdb.Large(b)
	leaves, tops := benchSummaries(b, db)
	scope := retrieve.AllConversations()
	for name, ids := range map[string][]string{"leaf": leaves, "top": tops} {
		b.Run(name, func(b *testing.B) {
			for i := range b.N {
				d, err := retrieve.DescribeRequest{ID: ids[i%len(ids)]}.Run(b.Context(), db, scope)
				if err != nil || d.Text() == "" {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkExpand(b *testing.B) {
	db := testdb.Large(b)
	leaves, tops := benchSummaries(b, db)
	scope := retrieve.AllConversations()
	for name, c := range map[string]struct {
		ids      []string
		messages bool
		cap      *int64
	}{
		"leaf with messages":     {leaves, true, nil},
		"top":                    {tops, false, nil},
		"top under 4,000 tokens": {tops, true, new(int64(4000))},
		"top with every message": {tops, true, nil},
	} {
		b.Run(name, func(b *testing.B) {
			for i := range b.N {
				r := retrieve.ExpandRequest{Summaries: c.ids[i%len(c.ids):][:1], TokenCap: c.cap, Messages: c.messages}
				e, err := r.Run(b.Context(), db, scope)
				if err != nil || e.Text() == "" {
					b.Fatal(err)
				}
			}
		})
	}
}
