package integrity_test

import (
	"fmt"
	"strings"
	"testing"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestPendingTablesThatLackSomething: a check of a file with every fault, of which a table or
// column is missing, ends, and names no fault that the missing cells alone would prove. Cells of
// another type end no check either.
func TestPendingTablesThatLackSomething(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	all := broken(t, faults.NamesAt(fakehost.Beta)...)
	statements := map[string][]integrity.FaultID{ // With the faults that it hides.
		"DROP TABLE pending_compaction_batches":                                     pendingIDs,
		"DROP TABLE pending_summary_nodes":                                          pendingIDs,
		"DROP TABLE pending_summary_node_messages":                                  nil,
		"DROP TABLE pending_summary_node_children":                                  nil,
		"DROP TABLE context_items":                                                  {integrity.PendingSourceChanged, integrity.PendingRangeUncovered},
		"ALTER TABLE pending_summary_nodes DROP COLUMN retry_count":                 {integrity.PendingRetriesUsedUp},
		"ALTER TABLE pending_summary_nodes DROP COLUMN next_attempt_after":          nil,
		"ALTER TABLE pending_summary_nodes DROP COLUMN content":                     {integrity.PendingTextMissing, integrity.PendingFallback},
		"ALTER TABLE pending_summary_nodes DROP COLUMN lease_owner":                 {integrity.PendingLeaseMissing},
		"ALTER TABLE pending_summary_nodes RENAME COLUMN canonical_summary_id TO x": {integrity.PendingSummaryDeleted},
		"ALTER TABLE pending_compaction_batches DROP COLUMN published_at":           nil,
		"ALTER TABLE pending_compaction_batches DROP COLUMN failure_summary":        nil,
	}
	for _, table := range []string{"pending_compaction_batches", "pending_summary_nodes", "pending_summary_node_messages", "pending_summary_node_children"} {
		columns := testdb.Rows(t, all, "SELECT name FROM pragma_table_info('"+table+"')")
		for _, value := range []string{"'no number, no id'", "NULL", "9223372036854775807", "x'00ff80'"} {
			var script strings.Builder
			for _, column := range columns {
				fmt.Fprintf(&script, "UPDATE OR IGNORE %s SET %s = %s;\n", table, column, value)
			}
			statements[script.String()] = nil
		}
	}
	for script, silent := range statements {
		t.Run(strings.SplitN(script, ";", 2)[0], func(t *testing.T) {
			t.Parallel()
			path := testdb.Copy(t, all)
			if err := faults.Alter(path, "DROP INDEX pending_summary_nodes_conv_status_idx; "+script); err != nil {
				t.Skip(err)
			}
			d := check(t, path, integrity.Request{Faults: pendingIDs})
			for _, id := range silent {
				if rows := rowsOf(d, id); len(rows) > 0 {
					t.Errorf("%s is found in %q", id, rows)
				}
			}
		})
	}
}
