package data_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
)

// TestEachImageByKey: a value that is the key of a row gives the row once, however often it is
// asked for, and other values give none.
func TestEachImageByKey(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	for table, key := range map[string]string{"messages": "message_id", "summaries": "summary_id"} {
		all, err := data.Images(t.Context(), db, table, nil)
		if err != nil || len(all) < 3 {
			t.Fatalf("%d rows of %s: %v", len(all), table, err)
		}
		values := []any{nil, "none", int64(-1), all[2][key], all[0][key], all[2][key]}
		got, err := data.ImagesIn(t.Context(), db, table, key, values)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]data.Row{all[0], all[2]}, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", table, diff)
		}
	}
}

// TestEachImageLooksUpKeys: statistics that say that the tables are small don't have each
// statement read a whole table.
func TestEachImageLooksUpKeys(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	if err := faults.Alter(path, "ANALYZE"); err != nil {
		t.Fatal(err)
	}
	for table, key := range map[string]string{"messages": "message_id", "summaries": "summary_id"} {
		query := "EXPLAIN QUERY PLAN SELECT 1 FROM " + strings.ReplaceAll(data.WantedRowsByKey(table, key, 900), "?", "1")
		plan := strings.Join(testdb.Rows(t, path, query), "\n")
		if !strings.Contains(plan, "SEARCH "+table) || strings.Contains(plan, "SCAN "+table) {
			t.Errorf("%s:\n%s", table, plan)
		}
	}
}
