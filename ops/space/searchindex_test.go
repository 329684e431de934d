package space_test

import (
	"fmt"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/space"
)

// TestTheSizeOfAMergedIndexIsKnownBeforeItIsMerged: without a write, from the segments that the
// index has: those of a host that wrote it row by row, and those in which rows were deleted.
func TestTheSizeOfAMergedIndexIsKnownBeforeItIsMerged(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	steps := []string{}
	for i := range 60 { // Each is a segment of its own.
		steps = append(steps, fmt.Sprintf("DELETE FROM messages_fts WHERE rowid %% 100 = %d", i), fmt.Sprintf("DELETE FROM summaries_fts_cjk WHERE rowid %% 100 = %d", i))
	}
	for _, c := range []struct {
		name       string
		statements []string
	}{
		{"as a host wrote it", nil},
		{"a third deleted at once", []string{"DELETE FROM messages_fts WHERE rowid % 3 = 0", "DELETE FROM summaries_fts WHERE rowid % 3 = 0", "DELETE FROM summaries_fts_cjk WHERE rowid % 3 = 0"}},
		{"60 % deleted in many steps", steps},
		{"texts replaced", []string{"UPDATE messages_fts SET content = 'the same words again and again ' || rowid", "UPDATE summaries_fts_cjk SET content = content || ' 漢字'"}},
		{"all deleted", []string{"DELETE FROM messages_fts", "DELETE FROM summaries_fts", "DELETE FROM summaries_fts_cjk"}},
		{"merged", merging()},
		{"long words and rows with many words", []string{
			"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO messages_fts (rowid, content) SELECT 900001, group_concat('often') || ' ' || group_concat('w' || i, ' ') FROM n",
			"INSERT INTO messages_fts (rowid, content) SELECT 900002, replace(hex(zeroblob(400)), '0', 'x') || ' often often'",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Fixture(t, "v0.15.3/rich.db")
			exec(t, path, c.statements...)
			before := measure(t, path)
			exec(t, path, append(merging(), "VACUUM")...)
			after := measure(t, path)
			checkMerged(t, before, after)
		})
	}
}

// checkMerged checks the pages of the indexes, and of the lists of their words, as they were known
// before the merge.
func checkMerged(t *testing.T, before, after *space.Measurement) {
	t.Helper()
	merged := 0
	for i := range before.Objects {
		b, a := before.Objects[i], after.Objects[i]
		if b.Kind != space.Search || !strings.HasSuffix(b.Name, "_data") && !strings.HasSuffix(b.Name, "_idx") {
			continue
		}
		leaves, overflow := b.Leaf.Count, b.Overflow.Count
		if b.PackedLeaves > 0 {
			leaves, overflow = b.PackedLeaves, b.PackedOverflow
		}
		merged++
		if wrong := leaves + overflow - a.Leaf.Count - a.Overflow.Count; wrong < -1 || wrong > 1 {
			t.Errorf("%s: %d leaves and %d more pages are %d and %d (%d before)", b.Name, leaves, overflow, a.Leaf.Count, a.Overflow.Count, b.Leaf.Count)
		}
	}
	if merged != 2*len(data.SearchTables()) {
		t.Errorf("%d tables of indexes", merged)
	}
}

// merging merges the search tables.
func merging() (out []string) {
	for _, table := range data.SearchTables() {
		out = append(out, "INSERT INTO "+table+"("+table+") VALUES ('optimize')")
	}
	return out
}
