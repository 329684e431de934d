package diff_test

import (
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/diff"
	"lcm-tui/ops/diff/filepair"
)

// riskyColumns are columns that statements name by themselves.
var riskyColumns = []string{"messages.message_id", "messages.content", "summaries.created_at", "conversations.conversation_id", "context_items.summary_id"}

// TestFilesWithOtherTablesAreCompared: whatever tables or columns one file lacks, and whatever stands
// in them, the rest is compared in both directions, and a file is equal to its copy.
func TestFilesWithOtherTablesAreCompared(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	healthy := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	for i, a := range testdb.Alterations(t) {
		if !strings.HasPrefix(a.Name, "drop ") && i%50 != 0 && !slices.Contains(riskyColumns, a.Table+"."+a.Column) {
			continue // They differ in the table and the column alone.
		}
		path, ok := testdb.Altered(t, a)
		if !ok {
			continue
		}
		db, err := data.Open(t.Context(), path)
		if err != nil {
			t.Errorf("%s: %v", a.Name, err)
			continue
		}
		for _, pair := range [][2]*data.DB{{healthy, db}, {db, healthy}} {
			for _, lineage := range []filepair.Lineage{"", filepair.ByMeaning} {
				c, err := diff.Open(t.Context(), pair[0], pair[1], diff.Request{Lineage: lineage})
				if err != nil {
					t.Fatalf("%s: %v", a.Name, err)
				}
				r, err := c.Report(t.Context(), nil)
				if err != nil {
					t.Errorf("%s by %s: %v", a.Name, lineage, err)
					r = &diff.Report{}
				}
				for _, conv := range r.Conversations {
					if _, err := c.Details(t.Context(), conv, filepair.Limits{Rows: 5, Bytes: 100}); err != nil {
						t.Errorf("%s, conversation %d: %v", a.Name, conv.ID, err)
					}
				}
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			}
		}
		_ = db.Close()
	}
}
