package integrity_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// pendingQuery matches a query of testdata/faults-1.0.sql for pending batches.
var pendingQuery = regexp.MustCompile(`(?s)\n-- (P\d\d\w?) [^\n]*\n(?:--[^\n]*\n)*(SELECT .*?);\n`)

// pendingRow is what names a row of a query: the conversation, and the batch or node where
// the rows aren't grouped by conversation.
var pendingRow = map[integrity.FaultID]string{
	integrity.PendingOfArchived: "batch_id", integrity.PendingSourceChanged: "batch_id", integrity.PendingRangeUncovered: "batch_id",
	integrity.PendingStatusContradictory: "coalesce(node_id, batch_id)", integrity.PendingFailureRepeated: "''",
	integrity.PendingBatchDuplicate: "''", integrity.PendingBatchExpired: "''",
}

// queryPending returns the rows that the queries find, by fault.
func queryPending(t *testing.T, path string, now time.Time) map[integrity.FaultID][]string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "faults-1.0.sql"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[integrity.FaultID][]string{}
	queries := pendingQuery.FindAllStringSubmatch(string(b), -1)
	if len(queries) != 16 {
		t.Fatalf("%d queries", len(queries))
	}
	for _, m := range queries {
		id := integrity.FaultID(m[1])
		row := pendingRow[id]
		if row == "" {
			row = "node_id"
		}
		query := strings.ReplaceAll(m[2], ":now", now.UTC().Format("'2006-01-02T15:04:05.000Z'"))
		rows := testdb.Rows(t, path, fmt.Sprintf("SELECT conversation_id || ' ' || %s AS found FROM (%s)", row, query))
		slices.Sort(rows)
		if id != integrity.PendingFailureRepeated { // Of which each row is a failure.
			rows = slices.Compact(rows)
		}
		out[id] = rows
	}
	return out
}

// checkPending returns the rows that the check finds, named as those of the queries are.
func checkPending(t *testing.T, path string, now time.Time) map[integrity.FaultID][]string {
	t.Helper()
	db := testdb.Open(t, path)
	db.Now = func() time.Time { return now }
	d, err := integrity.Check(t.Context(), db, integrity.Request{Faults: pendingIDs}, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := map[integrity.FaultID][]string{}
	for _, f := range d.Findings {
		row := f.Row
		if pendingRow[f.Fault] == "''" {
			row = ""
		}
		out[f.Fault] = append(out[f.Fault], fmt.Sprintf("%d %s", f.Conversation, row))
	}
	for _, rows := range out {
		slices.Sort(rows)
	}
	return out
}

// pendingIDs are the faults of what hosts prepare in the background.
var pendingIDs = integrity.Select(func(f integrity.Fault) bool { return f.ID.Area() == integrity.PendingArea })

// oddCells are cells that no host writes.
var oddCells = []string{
	"UPDATE pending_summary_nodes SET retry_count = 2.5",
	"UPDATE pending_summary_nodes SET status = 'paused'",
	"UPDATE pending_compaction_batches SET status = 'paused'",
	"UPDATE pending_compaction_batches SET status = 'Planning'",
	"UPDATE pending_summary_nodes SET token_count = 'many', content = x'2020'",
	"UPDATE pending_summary_nodes SET content = 'zwölf' || char(0) || 'more'",
	"UPDATE pending_summary_nodes SET lease_expires_at = 7, lease_owner = ''",
	"UPDATE pending_compaction_batches SET updated_at = 'never', created_at = 0",
	"UPDATE pending_summary_nodes SET failure_summary = NULL, status = 'failed'",
	"UPDATE pending_summary_nodes SET ordinal_start = 'first' || node_id, ordinal_end = 'last'",
	"UPDATE OR IGNORE pending_summary_nodes SET kind = 'twig', depth = 'low'",
	"UPDATE pending_summary_nodes SET conversation_id = 7777",
	"UPDATE pending_compaction_batches SET conversation_id = 7777",
	"UPDATE OR IGNORE pending_summary_nodes SET batch_id = 'pcb_gone'",
	"UPDATE pending_compaction_batches SET published_at = '', status = 'published'",
	"UPDATE pending_summary_node_children SET child_node_id = NULL",
	"UPDATE conversations SET active = 'no'",
	"UPDATE context_items SET ordinal = ordinal + 40",
}

// TestPendingFaultsAreThoseOfTheQueries: the check finds the rows that the queries find, at
// several times. Fingerprints and the order of nodes tell more of two of them.
func TestPendingFaultsAreThoseOfTheQueries(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	files := map[string]string{}
	for _, name := range faults.NamesAt(fakehost.Beta) {
		files[name] = broken(t, name)
	}
	files["all faults"] = broken(t, faults.NamesAt(fakehost.Beta)...)
	for _, odd := range oddCells {
		path := testdb.Copy(t, files["all faults"])
		if err := faults.Alter(path, odd); err != nil {
			t.Fatalf("%s: %v", odd, err)
		}
		files[odd] = path
	}
	for _, path := range testdb.FixtureFiles(t, "v1.0/*.db", "v1.0/faults/*.db") {
		files[filepath.Base(path)] = testdb.Copy(t, path)
	}
	exact := []integrity.FaultID{integrity.PendingSourceChanged, integrity.PendingRangeUncovered}
	for name, path := range files {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			times := []string{"2026-10-01T16:09:30Z", "2026-10-02T16:59:48.085Z", "2026-11-20T00:00:00Z"}
			if !strings.HasSuffix(name, ".db") {
				times = times[2:]
			}
			for _, at := range times {
				now, err := time.Parse(time.RFC3339, at)
				if err != nil {
					t.Fatal(err)
				}
				want, got := queryPending(t, path, now), checkPending(t, path, now)
				for _, id := range pendingIDs {
					more := slices.DeleteFunc(slices.Clone(got[id]), func(row string) bool { return slices.Contains(want[id], row) })
					less := slices.DeleteFunc(slices.Clone(want[id]), func(row string) bool { return slices.Contains(got[id], row) })
					if len(less) > 0 || len(more) > 0 && !slices.Contains(exact, id) || len(got[id]) < len(want[id]) {
						t.Errorf("at %s %s: found %q, the query finds %q", at, id, got[id], want[id])
					}
				}
			}
		})
	}
}
